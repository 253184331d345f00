-- name: lock_access_tokens
-- The named tokens, locked one by one in the given order.
select t.token_id, t.secret_hash, t.kind, t.role, t.namespace, t.name, t.created_at_ms, t.created_by, t.expires_at_ms,
       t.revoked_at_ms, t.parent_id, t.approves_own, t.used_day_ms
  from unnest(%(token_id)s::text[]) as n (token_id)
 cross join lateral (
           select * from ff_access_token x where x.token_id = n.token_id collate "C" for update
       ) t;

-- name: read_access_token
select token_id, secret_hash, kind, role, namespace, name, created_at_ms, created_by, expires_at_ms, revoked_at_ms,
       parent_id, approves_own, used_day_ms
  from ff_access_token
 where token_id = %(token_id)s;

-- name: list_access_tokens
-- Tokens, newest first, after the given position. A filter that is null lets everything pass.
select token_id, secret_hash, kind, role, namespace, name, created_at_ms, created_by, expires_at_ms, revoked_at_ms,
       parent_id, approves_own, used_day_ms
  from ff_access_token
 where (created_at_ms, token_id) < (%(created_at_ms)s, %(token_id)s::text collate "C")
   and (%(namespace)s::text is null or namespace = %(namespace)s)
   and (%(kind)s::text is null or kind = %(kind)s)
 order by created_at_ms desc, token_id desc
 limit %(most)s;

-- name: find_dead_access_tokens
select token_id
  from ff_access_token
 where ends_at_ms <= %(until_ms)s
 order by ends_at_ms
 limit %(most)s;

-- name: find_surplus_sessions
-- The sessions of a token that are good, without the newest ones.
select token_id
  from ff_access_token
 where created_at_ms > %(since_ms)s
   and parent_id = %(token_id)s
   and ends_at_ms > %(now_ms)s
 order by created_at_ms desc, token_id desc
 limit 100 offset %(kept)s;

-- name: insert_access_tokens
insert into ff_access_token (
    token_id, secret_hash, kind, role, namespace, name, created_at_ms, created_by, expires_at_ms, revoked_at_ms,
    parent_id, approves_own, used_day_ms, ends_at_ms
)
select * from unnest(
           %(token_id)s::text[], %(secret_hash)s::bytea[], %(kind)s::text[], %(role)s::text[], %(namespace)s::text[],
           %(name)s::text[], %(created_at_ms)s::bigint[], %(created_by)s::text[], %(expires_at_ms)s::bigint[],
           %(revoked_at_ms)s::bigint[], %(parent_id)s::text[], %(approves_own)s::smallint[],
           %(used_day_ms)s::bigint[], %(ends_at_ms)s::bigint[]
       );

-- name: update_access_tokens
update ff_access_token c
   set revoked_at_ms = n.revoked_at_ms,
       used_day_ms = n.used_day_ms,
       ends_at_ms = n.ends_at_ms
  from unnest(
           %(token_id)s::text[], %(revoked_at_ms)s::bigint[], %(used_day_ms)s::bigint[], %(ends_at_ms)s::bigint[]
       ) as n (token_id, revoked_at_ms, used_day_ms, ends_at_ms)
 where c.token_id = any (array[n.token_id collate "C"]);

-- name: delete_access_tokens
delete from ff_access_token c
 using unnest(%(token_id)s::text[]) as n (token_id)
 where c.token_id = any (array[n.token_id collate "C"]);
