-- name: load_access_token
select token_id, secret_hash, kind, role, namespace, name, created_at_ms, created_by, expires_at_ms, revoked_at_ms,
       parent_id, approves_own, used_day_ms
  from ff_access_token
 where token_id = ?;

-- name: list_access_tokens
-- Tokens, newest first, after the given position. A filter that is null lets everything pass.
select token_id, secret_hash, kind, role, namespace, name, created_at_ms, created_by, expires_at_ms, revoked_at_ms,
       parent_id, approves_own, used_day_ms
  from ff_access_token indexed by ff_access_token_created
 where (created_at_ms, token_id) < (?1, ?2)
   and (?3 is null or namespace = ?3)
   and (?4 is null or kind = ?4)
 order by created_at_ms desc, token_id desc
 limit ?5;

-- name: find_dead_access_tokens
select token_id
  from ff_access_token indexed by ff_access_token_ends
 where ends_at_ms <= ?
 order by ends_at_ms
 limit ?;

-- name: find_surplus_sessions
-- The sessions of a token that are good, without the newest ones.
select token_id
  from ff_access_token indexed by ff_access_token_created
 where created_at_ms > ?
   and parent_id = ?
   and ends_at_ms > ?
 order by created_at_ms desc, token_id desc
 limit 100 offset ?;

-- name: save_access_tokens
insert into ff_access_token (
    token_id, secret_hash, kind, role, namespace, name, created_at_ms, created_by, expires_at_ms, revoked_at_ms,
    parent_id, approves_own, used_day_ms, ends_at_ms
) values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (token_id) do update set
    revoked_at_ms = excluded.revoked_at_ms,
    used_day_ms = excluded.used_day_ms,
    ends_at_ms = excluded.ends_at_ms;

-- name: delete_access_tokens
delete from ff_access_token where token_id = ?;
