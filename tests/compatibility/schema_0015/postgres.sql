--
-- PostgreSQL database dump
--


-- Dumped from database version 18.6
-- Dumped by pg_dump version 18.6

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: ff_access_token; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_access_token (
    token_id text NOT NULL COLLATE pg_catalog."C",
    secret_hash bytea NOT NULL,
    kind text NOT NULL,
    role text NOT NULL,
    namespace text,
    name text NOT NULL,
    created_at_ms bigint NOT NULL,
    created_by text,
    expires_at_ms bigint,
    revoked_at_ms bigint,
    parent_id text,
    approves_own smallint NOT NULL,
    used_day_ms bigint,
    ends_at_ms bigint,
    CONSTRAINT ff_access_token_approves_own_check CHECK (((approves_own >= 0) AND (approves_own <= 1)))
);


--
-- Name: ff_alias; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_alias (
    namespace text NOT NULL COLLATE pg_catalog."C",
    alias text NOT NULL COLLATE pg_catalog."C",
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    key text NOT NULL
);


--
-- Name: ff_at_gate; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_at_gate (
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    namespace text NOT NULL COLLATE pg_catalog."C",
    gate_kind smallint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    gate_key text NOT NULL COLLATE pg_catalog."C",
    gate_state smallint NOT NULL,
    lane_id text NOT NULL COLLATE pg_catalog."C",
    capability_set integer NOT NULL,
    rank integer NOT NULL,
    turn integer NOT NULL,
    ready_at_ms bigint NOT NULL,
    CONSTRAINT ff_at_gate_gate_kind_check CHECK (((gate_kind >= 0) AND (gate_kind <= 2))),
    CONSTRAINT ff_at_gate_gate_state_check CHECK (((gate_state >= 0) AND (gate_state <= 2)))
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_cost_delay='0');


--
-- Name: ff_attempt; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_attempt (
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    attempt_index integer NOT NULL,
    lease_epoch bigint NOT NULL,
    worker_id text,
    worker_instance_id text,
    started_at_ms bigint,
    terminal_at_ms bigint,
    outcome smallint,
    CONSTRAINT ff_attempt_outcome_check CHECK (((outcome >= 0) AND (outcome <= 7)))
);


--
-- Name: ff_batch; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_batch (
    batch_id bytea NOT NULL,
    committed_at_ms bigint NOT NULL
);


--
-- Name: ff_budget; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_budget (
    namespace text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    limits text NOT NULL,
    soft_limits text NOT NULL,
    period text,
    parent text COLLATE pg_catalog."C",
    on_exceeded text NOT NULL,
    reset_at_ms bigint
);


--
-- Name: ff_budget_day; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_budget_day (
    namespace text NOT NULL COLLATE pg_catalog."C",
    budget text NOT NULL COLLATE pg_catalog."C",
    day_ms bigint NOT NULL,
    execution_kind text NOT NULL COLLATE pg_catalog."C",
    dimension text NOT NULL COLLATE pg_catalog."C",
    amount bigint NOT NULL
);


--
-- Name: ff_budget_use; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_budget_use (
    namespace text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    period_ms bigint NOT NULL,
    used text NOT NULL,
    reserved text NOT NULL,
    assumed text NOT NULL,
    passed text NOT NULL,
    exceeded text NOT NULL
)
WITH (fillfactor='50');


--
-- Name: ff_budget_status; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.ff_budget_status AS
 SELECT b.namespace,
    b.name,
    d.key AS dimension,
    u.period_ms,
    COALESCE((((u.used)::json ->> d.key))::bigint, (0)::bigint) AS used,
    COALESCE((((u.reserved)::json ->> d.key))::bigint, (0)::bigint) AS reserved,
    COALESCE((((u.assumed)::json ->> d.key))::bigint, (0)::bigint) AS assumed,
    (d.value)::bigint AS hard_limit,
    (((b.soft_limits)::json ->> d.key))::bigint AS soft_limit,
    b.parent,
    b.on_exceeded,
    ( SELECT count(*) AS count
           FROM public.ff_at_gate g
          WHERE ((g.gate_state = 1) AND (g.namespace = b.namespace) AND (g.gate_kind = 1) AND (g.name = b.name) AND (g.gate_key = ''::text))) AS parked
   FROM ((public.ff_budget b
     CROSS JOIN LATERAL json_each_text((b.limits)::json) d(key, value))
     LEFT JOIN public.ff_budget_use u ON (((u.namespace = b.namespace) AND (u.name = b.name))));


--
-- Name: ff_cancel_backlog; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_cancel_backlog (
    partition_key smallint NOT NULL,
    flow_id uuid NOT NULL,
    requested_at_ms bigint NOT NULL,
    pending_count integer NOT NULL
);


--
-- Name: ff_cancel_backlog_member; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_cancel_backlog_member (
    partition_key smallint NOT NULL,
    flow_id uuid NOT NULL,
    execution_id uuid NOT NULL,
    overdue_at_ms bigint NOT NULL
);


--
-- Name: ff_capability_set; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_capability_set (
    capability_set integer NOT NULL,
    tokens text NOT NULL
);


--
-- Name: ff_capability_set_capability_set_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.ff_capability_set ALTER COLUMN capability_set ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ff_capability_set_capability_set_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: ff_command; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_command (
    scope text NOT NULL,
    command_id text NOT NULL,
    fingerprint bytea NOT NULL,
    answer bytea NOT NULL,
    expires_at_ms bigint NOT NULL
);


--
-- Name: ff_event; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_event (
    event_id bigint NOT NULL,
    txid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    channel smallint NOT NULL,
    event_type text NOT NULL,
    namespace text NOT NULL,
    partition_key smallint NOT NULL,
    execution_id uuid,
    flow_id uuid,
    seq integer NOT NULL,
    details text,
    occurred_at_ms bigint NOT NULL,
    CONSTRAINT ff_event_channel_check CHECK (((channel >= 0) AND (channel <= 3)))
);


--
-- Name: ff_tag; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_tag (
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    key text NOT NULL,
    value text NOT NULL,
    created_at_ms bigint NOT NULL
);


--
-- Name: ff_completion_event; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.ff_completion_event AS
 SELECT e.partition_key,
    e.event_id,
    e.execution_id,
    e.flow_id,
        CASE
            WHEN (e.event_type = 'completed'::text) THEN 'success'::text
            ELSE e.event_type
        END AS outcome,
    e.namespace,
    ( SELECT t.value
           FROM public.ff_tag t
          WHERE ((t.partition_key = e.partition_key) AND (t.execution_id = e.execution_id) AND (t.key = 'cairn.instance_id'::text))) AS instance_tag,
    e.occurred_at_ms,
    e.occurred_at_ms AS committed_at_ms,
    e.occurred_at_ms AS dispatched_at_ms
   FROM (public.ff_event e
     CROSS JOIN ( VALUES (true)) read_only)
  WHERE ((e.channel = 1) AND (e.execution_id IS NOT NULL));


--
-- Name: ff_count; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_count (
    namespace text NOT NULL,
    lane_id text NOT NULL,
    execution_kind text NOT NULL,
    standing smallint NOT NULL,
    number bigint NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='2000');


--
-- Name: ff_count_move; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_count_move (
    number integer NOT NULL,
    minute integer,
    stood smallint,
    stands smallint,
    namespace text NOT NULL,
    lane_id text NOT NULL,
    execution_kind text NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='2000', autovacuum_vacuum_cost_delay='0');


--
-- Name: ff_counted; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.ff_counted AS
 SELECT namespace,
    lane_id,
    execution_kind,
    standing,
    (sum(number))::bigint AS number
   FROM ( SELECT ff_count.namespace,
            ff_count.lane_id,
            ff_count.execution_kind,
            ff_count.standing,
            ff_count.number
           FROM public.ff_count
        UNION ALL
         SELECT ff_count_move.namespace,
            ff_count_move.lane_id,
            ff_count_move.execution_kind,
            ff_count_move.stands,
            ff_count_move.number
           FROM public.ff_count_move
          WHERE (ff_count_move.stands IS NOT NULL)
        UNION ALL
         SELECT ff_count_move.namespace,
            ff_count_move.lane_id,
            ff_count_move.execution_kind,
            ff_count_move.stood,
            (- ff_count_move.number)
           FROM public.ff_count_move
          WHERE (ff_count_move.stood IS NOT NULL)) c
  GROUP BY namespace, lane_id, execution_kind, standing
 HAVING (sum(number) <> (0)::numeric);


--
-- Name: ff_due; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_due (
    due_kind smallint NOT NULL,
    due_at_ms bigint NOT NULL,
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_cost_delay='0');


--
-- Name: ff_edge; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_edge (
    partition_key smallint NOT NULL,
    flow_id uuid NOT NULL,
    edge_id text NOT NULL COLLATE pg_catalog."C",
    upstream uuid NOT NULL,
    downstream uuid NOT NULL,
    pass_result_as text,
    created_at_ms bigint NOT NULL,
    outcome smallint NOT NULL,
    generation integer NOT NULL,
    resolved_at_ms bigint,
    CONSTRAINT ff_edge_outcome_check CHECK (((outcome >= 0) AND (outcome <= 5)))
)
WITH (fillfactor='50');


--
-- Name: ff_edge_group; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_edge_group (
    partition_key smallint NOT NULL,
    downstream uuid NOT NULL,
    flow_id uuid NOT NULL,
    policy_kind smallint NOT NULL,
    policy_k integer,
    policy_on_satisfied smallint,
    total integer NOT NULL,
    success_count integer NOT NULL,
    fail_count integer NOT NULL,
    skip_count integer NOT NULL,
    state smallint NOT NULL,
    passes_results smallint NOT NULL,
    CONSTRAINT ff_edge_group_passes_results_check CHECK (((passes_results >= 0) AND (passes_results <= 1))),
    CONSTRAINT ff_edge_group_policy_kind_check CHECK (((policy_kind >= 0) AND (policy_kind <= 2))),
    CONSTRAINT ff_edge_group_policy_on_satisfied_check CHECK (((policy_on_satisfied >= 0) AND (policy_on_satisfied <= 1))),
    CONSTRAINT ff_edge_group_state_check CHECK (((state >= 0) AND (state <= 2)))
)
WITH (fillfactor='50');


--
-- Name: ff_ends; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_ends (
    minute integer NOT NULL,
    namespace text NOT NULL,
    public_state smallint NOT NULL,
    number bigint NOT NULL
)
WITH (fillfactor='50');


--
-- Name: ff_event_event_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.ff_event ALTER COLUMN event_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ff_event_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: ff_exec_core; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_exec_core (
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    namespace text NOT NULL,
    lane_id text NOT NULL,
    flow_id uuid,
    execution_kind text NOT NULL,
    capability_set integer NOT NULL,
    policy text,
    idempotency_key text,
    created_at_ms bigint NOT NULL,
    tags text,
    lifecycle_phase smallint NOT NULL,
    eligibility_state smallint NOT NULL,
    attempt_state smallint NOT NULL,
    terminal_outcome smallint NOT NULL,
    public_state smallint NOT NULL,
    priority integer NOT NULL,
    attempt_index integer NOT NULL,
    lease_epoch bigint NOT NULL,
    retry_count integer NOT NULL,
    interruption_count integer NOT NULL,
    replay_count integer NOT NULL,
    event_seq integer NOT NULL,
    ready_at_ms bigint NOT NULL,
    worker_id text,
    worker_instance_id text,
    lease_ttl_ms bigint,
    lease_expires_at_ms bigint,
    attempt_started_at_ms bigint,
    started_at_ms bigint,
    terminal_at_ms bigint,
    delay_until_ms bigint,
    deadline_at_ms bigint,
    cancellation_reason text,
    cancelled_by text,
    failure_code text,
    failure_message text,
    progress_percent smallint,
    progress_message text,
    unsettled smallint DEFAULT 0 NOT NULL,
    lease_mark text,
    lease_era bigint,
    node text,
    coming_back smallint,
    inbox text,
    waiting_since_ms bigint,
    parent_id uuid,
    child_place text,
    gates text,
    turn integer DEFAULT 0 NOT NULL,
    created_by text,
    CONSTRAINT ff_exec_core_attempt_state_check CHECK (((attempt_state >= 0) AND (attempt_state <= 7))),
    CONSTRAINT ff_exec_core_eligibility_state_check CHECK (((eligibility_state >= 0) AND (eligibility_state <= 8))),
    CONSTRAINT ff_exec_core_lifecycle_phase_check CHECK (((lifecycle_phase >= 0) AND (lifecycle_phase <= 4))),
    CONSTRAINT ff_exec_core_partition_key_check CHECK (((partition_key >= 0) AND (partition_key <= 255))),
    CONSTRAINT ff_exec_core_public_state_check CHECK (((public_state >= 0) AND (public_state <= 11))),
    CONSTRAINT ff_exec_core_terminal_outcome_check CHECK (((terminal_outcome >= 0) AND (terminal_outcome <= 5))),
    CONSTRAINT ff_exec_core_unsettled_check CHECK (((unsettled >= 0) AND (unsettled <= 1)))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05', autovacuum_analyze_scale_factor='0.05');


--
-- Name: ff_execution; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.ff_execution AS
 SELECT ff_exec_core.partition_key,
    ((('{fp:'::text || ff_exec_core.partition_key) || '}:'::text) || ff_exec_core.execution_id) AS execution_id,
    ff_exec_core.namespace,
    ff_exec_core.lane_id,
    ff_exec_core.execution_kind,
    ('{runnable,active,suspended,terminal,cancelled}'::text[])[(ff_exec_core.lifecycle_phase + 1)] AS lifecycle_phase,
        CASE
            WHEN (ff_exec_core.lifecycle_phase = 1) THEN 'leased'::text
            ELSE 'unowned'::text
        END AS ownership_state,
    ('{eligible_now,not_eligible_until_time,blocked_by_dependencies,blocked_by_budget,blocked_by_quota,blocked_by_route,blocked_by_lane_state,blocked_by_operator,not_applicable}'::text[])[(ff_exec_core.eligibility_state + 1)] AS eligibility_state,
    ('{pending_first_attempt,running_attempt,attempt_interrupted,pending_retry_attempt,pending_replay_attempt,attempt_terminal,cancelled,attempt_suspended}'::text[])[(ff_exec_core.attempt_state + 1)] AS attempt_state,
    ('{none,success,failed,cancelled,expired,skipped}'::text[])[(ff_exec_core.terminal_outcome + 1)] AS terminal_outcome,
    ('{waiting,delayed,rate_limited,waiting_children,active,suspended,resumable,completed,failed,cancelled,expired,skipped}'::text[])[(ff_exec_core.public_state + 1)] AS public_state,
    ff_exec_core.priority,
    ff_exec_core.attempt_index,
    ff_exec_core.lease_epoch,
    ff_exec_core.retry_count,
    ff_exec_core.interruption_count,
    ff_exec_core.replay_count,
        CASE
            WHEN (ff_exec_core.lifecycle_phase = 1) THEN ff_exec_core.worker_id
            ELSE NULL::text
        END AS worker_id,
        CASE
            WHEN (ff_exec_core.lifecycle_phase = 1) THEN ff_exec_core.worker_instance_id
            ELSE NULL::text
        END AS worker_instance_id,
    ff_exec_core.lease_expires_at_ms,
    ff_exec_core.created_at_ms,
    ff_exec_core.started_at_ms,
    ff_exec_core.terminal_at_ms,
    ff_exec_core.delay_until_ms,
    ff_exec_core.deadline_at_ms,
    ff_exec_core.cancellation_reason,
    ff_exec_core.cancelled_by,
    ff_exec_core.failure_code,
    ff_exec_core.failure_message,
    ff_exec_core.progress_percent,
    ff_exec_core.progress_message,
    ff_exec_core.tags,
    (ff_exec_core.flow_id)::text AS flow_id,
    ff_exec_core.node,
    ff_exec_core.lane_id AS lane,
    ff_exec_core.execution_kind AS kind,
    ff_exec_core.waiting_since_ms,
    ((('{fp:'::text || ff_exec_core.partition_key) || '}:'::text) || ff_exec_core.parent_id) AS parent_id,
    ff_exec_core.created_by
   FROM (public.ff_exec_core
     CROSS JOIN ( VALUES (true)) read_only);


--
-- Name: ff_failure; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_failure (
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    attempt_index integer NOT NULL,
    lease_epoch bigint NOT NULL,
    failure_code text NOT NULL,
    message text NOT NULL,
    traceback text
);


--
-- Name: ff_flow_core; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_flow_core (
    partition_key smallint NOT NULL,
    flow_id uuid NOT NULL,
    namespace text NOT NULL,
    flow_kind text NOT NULL,
    created_at_ms bigint NOT NULL,
    tags text,
    state smallint NOT NULL,
    graph_revision bigint NOT NULL,
    node_count integer NOT NULL,
    edge_count integer NOT NULL,
    live_count integer NOT NULL,
    lost_sinks integer NOT NULL,
    event_seq integer NOT NULL,
    retention_ms bigint,
    started_at_ms bigint,
    terminal_at_ms bigint,
    at_rest_since_ms bigint,
    cancel_reason text,
    cancellation_policy smallint,
    purge_at_ms bigint,
    created_by text,
    CONSTRAINT ff_flow_core_cancellation_policy_check CHECK (((cancellation_policy >= 0) AND (cancellation_policy <= 2))),
    CONSTRAINT ff_flow_core_partition_key_check CHECK (((partition_key >= 0) AND (partition_key <= 255))),
    CONSTRAINT ff_flow_core_state_check CHECK (((state >= 0) AND (state <= 4)))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05', autovacuum_analyze_scale_factor='0.05');


--
-- Name: ff_flow; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.ff_flow AS
 SELECT ff_flow_core.partition_key,
    (ff_flow_core.flow_id)::text AS flow_id,
    ff_flow_core.namespace,
    ff_flow_core.flow_kind,
    ('{open,running,completed,failed,cancelled}'::text[])[(ff_flow_core.state + 1)] AS state,
    ff_flow_core.graph_revision,
    ff_flow_core.node_count,
    ff_flow_core.edge_count,
    ff_flow_core.live_count,
    ff_flow_core.lost_sinks,
    ff_flow_core.retention_ms,
    ff_flow_core.created_at_ms,
    ff_flow_core.started_at_ms,
    ff_flow_core.terminal_at_ms,
    ff_flow_core.at_rest_since_ms,
    ff_flow_core.cancel_reason,
    ('{cancel_all,cancel_pending,flow_only}'::text[])[(ff_flow_core.cancellation_policy + 1)] AS cancellation_policy,
    ff_flow_core.tags,
    ff_flow_core.flow_kind AS kind,
    ff_flow_core.created_by
   FROM (public.ff_flow_core
     CROSS JOIN ( VALUES (true)) read_only);


--
-- Name: ff_flow_cancel; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_flow_cancel (
    partition_key smallint NOT NULL,
    flow_id uuid NOT NULL,
    members text NOT NULL
);


--
-- Name: ff_idempotency; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_idempotency (
    partition_key smallint NOT NULL,
    namespace text NOT NULL,
    idempotency_key text NOT NULL,
    execution_partition smallint NOT NULL,
    execution_id uuid NOT NULL,
    fingerprint bytea NOT NULL,
    expires_at_ms bigint NOT NULL
);


--
-- Name: ff_key_ring; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_key_ring (
    name text NOT NULL COLLATE pg_catalog."C",
    keys text NOT NULL
);


--
-- Name: ff_key_turn; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_key_turn (
    namespace text NOT NULL COLLATE pg_catalog."C",
    lane_id text NOT NULL COLLATE pg_catalog."C",
    priority integer NOT NULL,
    fair_key text NOT NULL COLLATE pg_catalog."C",
    turn integer NOT NULL,
    given_at_ms bigint NOT NULL
)
WITH (fillfactor='50');


--
-- Name: ff_lane; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_lane (
    namespace text NOT NULL COLLATE pg_catalog."C",
    lane_id text NOT NULL COLLATE pg_catalog."C",
    paused_at_ms bigint,
    reason text NOT NULL,
    event_seq integer NOT NULL
);


--
-- Name: ff_lane_turn; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_lane_turn (
    namespace text NOT NULL COLLATE pg_catalog."C",
    lane_id text NOT NULL COLLATE pg_catalog."C",
    priority integer NOT NULL,
    turn integer NOT NULL
)
WITH (fillfactor='50');


--
-- Name: ff_meta; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_meta (
    name text NOT NULL,
    value text NOT NULL
);


--
-- Name: ff_lease_event; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.ff_lease_event AS
 SELECT e.event_id,
    (e.execution_id)::text AS execution_id,
        CASE
            WHEN (e.event_type = 'acquired'::text) THEN (((((((( SELECT ff_meta.value
               FROM public.ff_meta
              WHERE (ff_meta.name = 'store'::text)) || ':'::text) || e.execution_id) || ':'::text) || ((e.details)::json ->> 'attempt_index'::text)) || ':'::text) || ((e.details)::json ->> 'lease_epoch'::text)) || COALESCE(( SELECT (':'::text || split_part(c.lease_mark, '.'::text, 2))
               FROM public.ff_exec_core c
              WHERE ((c.partition_key = e.partition_key) AND (c.execution_id = e.execution_id) AND (split_part(c.lease_mark, '.'::text, 1) = ((e.details)::json ->> 'lease_epoch'::text)))), ''::text))
            ELSE NULL::text
        END AS lease_id,
        CASE
            WHEN (e.channel = 0) THEN e.event_type
            ELSE 'released'::text
        END AS event_type,
    e.occurred_at_ms,
    (e.partition_key)::integer AS partition_key,
    e.namespace,
    ( SELECT t.value
           FROM public.ff_tag t
          WHERE ((t.partition_key = e.partition_key) AND (t.execution_id = e.execution_id) AND (t.key = 'cairn.instance_id'::text))) AS instance_tag
   FROM (public.ff_event e
     CROSS JOIN ( VALUES (true)) read_only)
  WHERE ((e.channel = 0) OR ((e.channel = 1) AND (e.event_type = 'completed'::text)) OR ((e.channel = 1) AND (e.event_type = 'failed'::text) AND (((e.details)::json ->> 'code'::text) <> 'worker_lost'::text)));


--
-- Name: ff_lease_sheet; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_lease_sheet (
    due_at_ms bigint NOT NULL,
    partition_keys smallint[] NOT NULL,
    execution_ids uuid[] NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_cost_delay='0', toast_tuple_target='8160');
ALTER TABLE ONLY public.ff_lease_sheet ALTER COLUMN partition_keys SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.ff_lease_sheet ALTER COLUMN execution_ids SET STORAGE EXTERNAL;


--
-- Name: ff_ledger; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_ledger (
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    namespace text NOT NULL COLLATE pg_catalog."C",
    budget text NOT NULL COLLATE pg_catalog."C",
    period_ms bigint NOT NULL,
    day_ms bigint NOT NULL,
    amounts text NOT NULL
);


--
-- Name: ff_limit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_limit (
    namespace text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    concurrency integer,
    rate integer,
    per_ms bigint NOT NULL,
    burst integer
);


--
-- Name: ff_limit_key; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_limit_key (
    namespace text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    in_use integer NOT NULL,
    busy_until_us bigint NOT NULL,
    paused_until_ms bigint NOT NULL,
    idle_at_ms bigint,
    CONSTRAINT ff_limit_key_in_use_check CHECK ((in_use >= 0))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_cost_delay='0');


--
-- Name: ff_limit_override; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_limit_override (
    namespace text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    concurrency integer,
    rate integer,
    per_ms bigint NOT NULL,
    burst integer
);


--
-- Name: ff_limit_status; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.ff_limit_status AS
 SELECT k.namespace,
    k.name,
    k.key,
        CASE
            WHEN (o.key IS NULL) THEN l.concurrency
            ELSE o.concurrency
        END AS concurrency,
        CASE
            WHEN (o.key IS NULL) THEN l.rate
            ELSE o.rate
        END AS rate,
        CASE
            WHEN (o.key IS NULL) THEN l.per_ms
            ELSE o.per_ms
        END AS per_ms,
        CASE
            WHEN (o.key IS NULL) THEN l.burst
            ELSE o.burst
        END AS burst,
    COALESCE(u.in_use, 0) AS in_use,
    ( SELECT count(*) AS count
           FROM public.ff_at_gate g
          WHERE ((g.gate_state = 1) AND (g.namespace = k.namespace) AND (g.gate_kind = 0) AND (g.name = k.name) AND (g.gate_key = k.key))) AS parked,
    NULLIF(u.paused_until_ms, 0) AS paused_until_ms
   FROM (((( SELECT ff_limit.namespace,
            ff_limit.name,
            ('' COLLATE "C") AS key
           FROM public.ff_limit
        UNION
         SELECT ff_limit_override.namespace,
            ff_limit_override.name,
            ff_limit_override.key
           FROM public.ff_limit_override
        UNION
         SELECT ff_limit_key.namespace,
            ff_limit_key.name,
            ff_limit_key.key
           FROM public.ff_limit_key
        UNION
         SELECT ff_at_gate.namespace,
            ff_at_gate.name,
            ff_at_gate.gate_key
           FROM public.ff_at_gate
          WHERE ((ff_at_gate.gate_state = 1) AND (ff_at_gate.gate_kind = 0))) k
     JOIN public.ff_limit l ON (((l.namespace = k.namespace) AND (l.name = k.name))))
     LEFT JOIN public.ff_limit_override o ON (((o.namespace = k.namespace) AND (o.name = k.name) AND (o.key = k.key))))
     LEFT JOIN public.ff_limit_key u ON (((u.namespace = k.namespace) AND (u.name = k.name) AND (u.key = k.key))));


--
-- Name: ff_opening; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_opening (
    namespace text NOT NULL COLLATE pg_catalog."C",
    gate_kind smallint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    gate_key text NOT NULL COLLATE pg_catalog."C",
    at_ms bigint NOT NULL,
    CONSTRAINT ff_opening_gate_kind_check CHECK (((gate_kind >= 0) AND (gate_kind <= 2)))
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_cost_delay='0');


--
-- Name: ff_operator_event; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.ff_operator_event AS
 SELECT e.event_id,
    (COALESCE(e.execution_id, e.flow_id))::text AS execution_id,
    e.event_type,
    (e.details)::jsonb AS details,
    e.occurred_at_ms,
    (e.partition_key)::integer AS partition_key,
    e.namespace,
    ( SELECT t.value
           FROM public.ff_tag t
          WHERE ((t.partition_key = e.partition_key) AND (t.execution_id = e.execution_id) AND (t.key = 'cairn.instance_id'::text))) AS instance_tag
   FROM (public.ff_event e
     CROSS JOIN ( VALUES (true)) read_only)
  WHERE (e.channel = 2);


--
-- Name: ff_parked_execution; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.ff_parked_execution AS
 SELECT c.namespace,
    ('{limit,budget}'::text[])[(g.gate_kind + 1)] AS gate,
    g.name,
    g.gate_key AS key,
    ((('{fp:'::text || c.partition_key) || '}:'::text) || c.execution_id) AS execution_id,
    c.execution_kind AS kind,
    c.lane_id AS lane,
    c.priority,
    g.turn,
    g.ready_at_ms
   FROM (public.ff_at_gate g
     JOIN public.ff_exec_core c ON (((c.partition_key = g.partition_key) AND (c.execution_id = g.execution_id))))
  WHERE (g.gate_state = 1);


--
-- Name: ff_payload; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_payload (
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    payload bytea NOT NULL
);


--
-- Name: ff_ready; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_ready (
    namespace text NOT NULL,
    lane_id text NOT NULL,
    capability_set integer NOT NULL,
    rank integer NOT NULL,
    ready_at_ms bigint NOT NULL,
    execution_id uuid NOT NULL,
    partition_key smallint NOT NULL,
    turn integer DEFAULT 0 NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_cost_delay='0');


--
-- Name: ff_recounted; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.ff_recounted AS
 SELECT ff_exec_core.namespace,
    ff_exec_core.lane_id,
    ff_exec_core.execution_kind,
    ((((64 * ff_exec_core.public_state) + (4 * ff_exec_core.eligibility_state)) +
        CASE
            WHEN ((ff_exec_core.lifecycle_phase < 3) OR (ff_exec_core.flow_id IS NOT NULL)) THEN 0
            WHEN (COALESCE(ff_exec_core.policy, ''::text) ~~ '%"retention_ms":%'::text) THEN 2
            ELSE 1
        END))::smallint AS standing,
    count(*) AS number
   FROM public.ff_exec_core
  GROUP BY ff_exec_core.namespace, ff_exec_core.lane_id, ff_exec_core.execution_kind, (((((64 * ff_exec_core.public_state) + (4 * ff_exec_core.eligibility_state)) +
        CASE
            WHEN ((ff_exec_core.lifecycle_phase < 3) OR (ff_exec_core.flow_id IS NOT NULL)) THEN 0
            WHEN (COALESCE(ff_exec_core.policy, ''::text) ~~ '%"retention_ms":%'::text) THEN 2
            ELSE 1
        END))::smallint)
UNION ALL
 SELECT ff_flow_core.namespace,
    ''::text AS lane_id,
    ''::text AS execution_kind,
    (((4096 + (4 * ff_flow_core.state)) +
        CASE
            WHEN ((ff_flow_core.state < 2) OR ((ff_flow_core.node_count > 0) AND (ff_flow_core.at_rest_since_ms IS NULL))) THEN 0
            WHEN (ff_flow_core.purge_at_ms IS NULL) THEN 1
            ELSE 2
        END))::smallint AS standing,
    count(*) AS number
   FROM public.ff_flow_core
  GROUP BY ff_flow_core.namespace, ((((4096 + (4 * ff_flow_core.state)) +
        CASE
            WHEN ((ff_flow_core.state < 2) OR ((ff_flow_core.node_count > 0) AND (ff_flow_core.at_rest_since_ms IS NULL))) THEN 0
            WHEN (ff_flow_core.purge_at_ms IS NULL) THEN 1
            ELSE 2
        END))::smallint);


--
-- Name: ff_result; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_result (
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    result bytea NOT NULL,
    generation integer DEFAULT 0 NOT NULL
);


--
-- Name: ff_schedule; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_schedule (
    namespace text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    execution_kind text NOT NULL,
    payload bytea NOT NULL,
    fingerprint bytea NOT NULL,
    cron text,
    timezone text,
    every_ms bigint,
    anchor_ms bigint,
    catch_up text NOT NULL,
    lane_id text NOT NULL,
    priority integer NOT NULL,
    deadline_after_ms bigint,
    required_capabilities text NOT NULL,
    policy text,
    tags text,
    created_at_ms bigint NOT NULL,
    changed_at_ms bigint NOT NULL,
    seen_at_ms bigint NOT NULL,
    settled_until_ms bigint NOT NULL,
    last_slot_ms bigint,
    paused_at_ms bigint,
    pause_reason text,
    event_seq integer NOT NULL,
    gates text,
    created_by text
)
WITH (fillfactor='50');


--
-- Name: ff_schema_version; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_schema_version (
    version integer NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    compatible_from integer
);


--
-- Name: ff_signal; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_signal (
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    number integer NOT NULL,
    signal_id text NOT NULL,
    waitpoint_id text NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    source text NOT NULL,
    claimed_source text NOT NULL,
    delivered_at_ms bigint NOT NULL,
    taken_by text,
    payload bytea NOT NULL
);


--
-- Name: ff_signal_event; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.ff_signal_event AS
 SELECT e.event_id,
    (e.execution_id)::text AS execution_id,
    ((e.details)::json ->> 'signal_id'::text) AS signal_id,
    ((e.details)::json ->> 'waitpoint_id'::text) AS waitpoint_id,
    ((e.details)::json ->> 'source_identity'::text) AS source_identity,
    e.occurred_at_ms AS delivered_at_ms,
    (e.partition_key)::integer AS partition_key,
    e.namespace,
    ( SELECT t.value
           FROM public.ff_tag t
          WHERE ((t.partition_key = e.partition_key) AND (t.execution_id = e.execution_id) AND (t.key = 'cairn.instance_id'::text))) AS instance_tag,
    e.event_type,
    ((e.details)::json ->> 'key'::text) AS key,
    ((e.details)::json ->> 'name'::text) AS name,
    ((e.details)::json ->> 'effect'::text) AS effect,
    ((e.details)::json ->> 'cause'::text) AS cause
   FROM (public.ff_event e
     CROSS JOIN ( VALUES (true)) read_only)
  WHERE (e.channel = 3);


--
-- Name: ff_signal_key; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_signal_key (
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    fingerprint bytea NOT NULL,
    signal_id text NOT NULL,
    namespace text NOT NULL COLLATE pg_catalog."C",
    alias text COLLATE pg_catalog."C"
);


--
-- Name: ff_slot_holder; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.ff_slot_holder AS
 SELECT c.namespace,
    ('{limit,budget}'::text[])[(g.gate_kind + 1)] AS gate,
    g.name,
    g.gate_key AS key,
    ((('{fp:'::text || c.partition_key) || '}:'::text) || c.execution_id) AS execution_id,
    c.execution_kind AS kind,
    c.lane_id AS lane,
    c.priority,
    c.worker_id,
    c.lease_expires_at_ms
   FROM (public.ff_at_gate g
     JOIN public.ff_exec_core c ON (((c.partition_key = g.partition_key) AND (c.execution_id = g.execution_id))))
  WHERE (g.gate_state = 2);


--
-- Name: ff_spend_key; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_spend_key (
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    budget text NOT NULL COLLATE pg_catalog."C",
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    amounts text NOT NULL,
    answer bytea NOT NULL
);


--
-- Name: ff_step; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_step (
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    fingerprint bytea NOT NULL,
    result bytea NOT NULL,
    attempt_index integer NOT NULL,
    recorded_at_ms bigint NOT NULL,
    number integer,
    is_wait smallint DEFAULT 0 NOT NULL,
    tries integer DEFAULT 1 NOT NULL,
    lease_epoch bigint,
    CONSTRAINT ff_step_is_wait_check CHECK (((is_wait >= 0) AND (is_wait <= 1))),
    CONSTRAINT ff_step_tries_check CHECK ((tries >= 1))
);


--
-- Name: ff_stream; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_stream (
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    lease_epoch bigint NOT NULL,
    next_seq bigint NOT NULL,
    attempt_index integer NOT NULL,
    kept_frames bigint NOT NULL,
    kept_bytes bigint NOT NULL,
    is_too_long smallint NOT NULL,
    first_epoch bigint NOT NULL,
    first_seq bigint NOT NULL,
    CONSTRAINT ff_stream_is_too_long_check CHECK (((is_too_long >= 0) AND (is_too_long <= 1)))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05', autovacuum_analyze_scale_factor='0.05');


--
-- Name: ff_stream_chunk; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_stream_chunk (
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    lease_epoch bigint NOT NULL,
    first_seq bigint NOT NULL,
    attempt_index integer NOT NULL,
    frame_count integer NOT NULL,
    byte_count integer NOT NULL,
    at_ms bigint NOT NULL,
    retried text COLLATE pg_catalog."C",
    data bytea NOT NULL
);


--
-- Name: ff_summary; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_summary (
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    version integer NOT NULL,
    document text NOT NULL
)
WITH (fillfactor='50');


--
-- Name: ff_waitpoint; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_waitpoint (
    partition_key smallint NOT NULL,
    execution_id uuid NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    life integer NOT NULL,
    waitpoint_id text NOT NULL,
    created_at_ms bigint NOT NULL,
    token_kid text NOT NULL,
    expires_at_ms bigint,
    about text,
    alias text,
    closed_reason text,
    subjects text
);


--
-- Name: ff_worker; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_worker (
    namespace text NOT NULL COLLATE pg_catalog."C",
    worker_instance_id text NOT NULL COLLATE pg_catalog."C",
    worker_id text NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    lanes text NOT NULL,
    capabilities text NOT NULL,
    version text NOT NULL,
    started_at_ms bigint NOT NULL,
    seen_at_ms bigint NOT NULL,
    alive_until_ms bigint NOT NULL
)
WITH (fillfactor='50');


--
-- Data for Name: ff_access_token; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: ff_alias; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_alias VALUES ('default', 'article-7', 232, '018bcfe5-6800-7000-8000-000000000015', 'editor');


--
-- Data for Name: ff_at_gate; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_at_gate VALUES (114, '018bcfe5-6800-7000-8000-000000000026', 'default', 0, 'provider', 'small', 2, 'under-a-limit', 1, 0, 1, 1700000238000);
INSERT INTO public.ff_at_gate VALUES (114, '018bcfe5-6800-7000-8000-000000000026', 'default', 1, 'team', '', 2, 'under-a-limit', 1, 0, 1, 1700000238000);
INSERT INTO public.ff_at_gate VALUES (56, '018bcfe5-6800-7000-8000-000000000027', 'default', 0, 'provider', 'small', 1, 'behind-a-limit', 1, 0, 1, 1700000238000);
INSERT INTO public.ff_at_gate VALUES (40, '018bcfe5-6800-7000-8000-000000000028', 'default', 0, 'provider', 'small', 1, 'behind-a-limit,-in-another-turn', 1, 0, 1, 1700000238000);
INSERT INTO public.ff_at_gate VALUES (38, '018bcfe5-6800-7000-8000-000000000029', 'default', 0, 'provider', 'large', 2, 'in-a-block', 2, 0, 0, 1700000238000);
INSERT INTO public.ff_at_gate VALUES (157, '018bcfe5-6800-7000-8000-00000000002b', 'default', 1, 'trial', '', 1, 'behind-a-budget', 2, 0, 0, 1700000238000);
INSERT INTO public.ff_at_gate VALUES (224, '018bcfe5-6800-7000-8000-00000000002c', 'default', 0, 'calls', '', 1, 'behind-a-pause', 2, 0, 0, 1700000238000);


--
-- Data for Name: ff_attempt; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_attempt VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 0, 1, 'worker-1', 'worker-1/a', 1700000202000, 1700000202000, 2);
INSERT INTO public.ff_attempt VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 1, 2, 'worker-1', 'worker-1/a', 1700000212000, 1700000212000, 2);
INSERT INTO public.ff_attempt VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 2, 3, 'worker-1', 'worker-1/a', 1700000222000, 1700000222000, 1);
INSERT INTO public.ff_attempt VALUES (160, '018bcfe5-6800-7000-8000-000000000005', 0, 1, 'worker-1', 'worker-1/a', 1700000232000, 1700000232000, 1);
INSERT INTO public.ff_attempt VALUES (163, '018bcfe5-6800-7000-8000-000000000007', 0, 1, 'worker-1', 'worker-1/a', 1700000232000, 1700000234000, 3);
INSERT INTO public.ff_attempt VALUES (123, '018bcfe5-6800-7000-8000-000000000006', 0, 1, 'worker-1', 'worker-1/a', 1700000232000, 1700000234000, 1);
INSERT INTO public.ff_attempt VALUES (78, '018bcfe5-6800-7000-8000-00000000000a', 0, 1, 'worker-1', 'worker-1/a', 1700000234000, 1700000234000, 5);
INSERT INTO public.ff_attempt VALUES (69, '018bcfe5-6800-7000-8000-00000000000b', 0, 2, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_attempt VALUES (164, '018bcfe5-6800-7000-8000-00000000000c', 0, 1, 'worker-1', 'worker-1/a', 1700000234000, 1700000234000, 4);
INSERT INTO public.ff_attempt VALUES (2, '018bcfe5-6800-7000-8000-00000000000d', 0, 1, 'worker-1', 'worker-1/a', 1700000234000, 1700000234000, 4);
INSERT INTO public.ff_attempt VALUES (195, '018bcfe5-6800-7000-8000-00000000000e', 0, 1, 'worker-1', 'worker-1/a', 1700000234000, 1700000234000, 3);
INSERT INTO public.ff_attempt VALUES (118, '018bcfe5-6800-7000-8000-00000000000f', 0, 1, 'worker-1', 'worker-1/a', 1700000234000, 1700000236000, 3);
INSERT INTO public.ff_attempt VALUES (126, '018bcfe5-6800-7000-8000-000000000010', 0, 2, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_attempt VALUES (52, '018bcfe5-6800-7000-8001-000000000001', 0, 1, 'worker-1', 'worker-1/a', 1700000236000, 1700000236000, 0);
INSERT INTO public.ff_attempt VALUES (87, '018bcfe5-6800-7000-8002-000000000001', 0, 1, 'worker-1', 'worker-1/a', 1700000236000, 1700000236000, 1);
INSERT INTO public.ff_attempt VALUES (118, '018bcfe5-6800-7000-8003-000000000002', 0, 1, 'worker-1', 'worker-1/a', 1700000236000, 1700000236000, 0);
INSERT INTO public.ff_attempt VALUES (145, '018bcfe5-6800-7000-8004-000000000001', 0, 1, 'worker-1', 'worker-1/a', 1700000236000, 1700000236000, 0);
INSERT INTO public.ff_attempt VALUES (176, '018bcfe5-6800-7000-8005-000000000001', 0, 1, 'worker-1', 'worker-1/a', 1700000236000, 1700000236000, 0);
INSERT INTO public.ff_attempt VALUES (176, '018bcfe5-6800-7000-8005-000000000002', 0, 1, 'worker-1', 'worker-1/a', 1700000236000, 1700000236000, 0);
INSERT INTO public.ff_attempt VALUES (211, '018bcfe5-6800-7000-8006-000000000001', 0, 1, 'worker-1', 'worker-1/a', 1700000236000, 1700000236000, 0);
INSERT INTO public.ff_attempt VALUES (211, '018bcfe5-6800-7000-8006-000000000002', 0, 1, 'worker-1', 'worker-1/a', 1700000236000, 1700000236000, 0);
INSERT INTO public.ff_attempt VALUES (242, '018bcfe5-6800-7000-8007-000000000001', 0, 1, 'worker-1', 'worker-1/a', 1700000236000, 1700000236000, 1);
INSERT INTO public.ff_attempt VALUES (29, '018bcfe5-6800-7000-8008-000000000001', 0, 2, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_attempt VALUES (60, '018bcfe5-6800-7000-8009-000000000001', 0, 1, 'worker-1', 'worker-1/a', 1700000236000, 1700000236000, 5);
INSERT INTO public.ff_attempt VALUES (232, '018bcfe5-6800-7000-8000-000000000015', 0, 1, 'worker-1', 'worker-1/a', 1700000236000, NULL, NULL);
INSERT INTO public.ff_attempt VALUES (81, '018bcfe5-6800-7000-8000-000000000016', 0, 2, 'worker-1', 'worker-1/a', 1700000236000, 1700000236000, 0);
INSERT INTO public.ff_attempt VALUES (147, '018bcfe5-6800-7000-8000-000000000017', 0, 1, 'worker-1', 'worker-1/a', 1700000236000, NULL, NULL);
INSERT INTO public.ff_attempt VALUES (20, '018bcfe5-6800-7000-8000-000000000019', 0, 1, 'worker-1', 'worker-1/a', 1700000236000, NULL, NULL);
INSERT INTO public.ff_attempt VALUES (211, '018bcfe5-6800-7000-8000-000000000018', 0, 1, 'worker-1', 'worker-1/a', 1700000236000, 1700000238000, 1);
INSERT INTO public.ff_attempt VALUES (220, '018bcfe5-6800-7000-8000-00000000001a', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, 1700000238000, 5);
INSERT INTO public.ff_attempt VALUES (38, '018bcfe5-6800-7000-8000-00000000001b', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, NULL, NULL);
INSERT INTO public.ff_attempt VALUES (113, '018bcfe5-6800-7000-8000-00000000001c', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, NULL, NULL);
INSERT INTO public.ff_attempt VALUES (230, '018bcfe5-6800-7000-8000-00000000001d', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, NULL, NULL);
INSERT INTO public.ff_attempt VALUES (75, '018bcfe5-6800-7000-8000-00000000001e', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, NULL, NULL);
INSERT INTO public.ff_attempt VALUES (104, '018bcfe5-6800-7000-8000-00000000001f', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, NULL, NULL);
INSERT INTO public.ff_attempt VALUES (103, '018bcfe5-6800-7000-8000-000000000020', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, NULL, NULL);
INSERT INTO public.ff_attempt VALUES (161, '018bcfe5-6800-7000-8000-000000000023', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, NULL, NULL);
INSERT INTO public.ff_attempt VALUES (161, 'ae61f511-0000-83ac-9b1c-faa745fcb0f5', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, 1700000238000, 0);
INSERT INTO public.ff_attempt VALUES (161, 'ae61f511-0001-8c26-8855-c8ccae7f4945', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, 1700000238000, 1);
INSERT INTO public.ff_attempt VALUES (223, '018bcfe5-6800-7000-8000-000000000024', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, 1700000238000, 2);
INSERT INTO public.ff_attempt VALUES (221, '018bcfe5-6800-7000-8000-00000000002a', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, 1700000238000, 5);
INSERT INTO public.ff_attempt VALUES (59, '018bcfe5-6800-7000-8000-000000000032', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, 1700000238000, 2);


--
-- Data for Name: ff_batch; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_batch VALUES ('\xc77a14302412d82a8478986b6ceb4146', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\x2b525787c14de2d8e3aa1a0073f9ee64', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\x2c2236ce3e2d98a42523622b9bfb1373', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\xe1d36ee202e62491efc3574ac55127df', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xca31913d5534a343c9c9aefb2627ff47', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x1e267ae2dc352075d66720509848a967', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x9d34ac30daa644130d31c927d0b91c2a', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x0566512d1e2ec2d4e10ca62b49d152f9', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x7c01d8f52f65c711a45ca2414fc10cd2', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x7a08081503cb22bce3fe7bb5a753a8f3', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x11599acbedc4f06454d6d738bde5ef9e', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xab5ede3da4a57679fa7378fb804e0951', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xb6f7128a7345d0c26954f88dbd470a3a', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x79ad93590f7d08be0ab571efaa4b3d0f', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x8df6a82588fccb3d9b942765248e7ff5', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xc898a531e992ff329c9bb2e29be1acb0', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x04f68f47adc7a9d9c03f1e13a43545c6', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x91a6387801a85fc16af2519e2b48066f', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x46c5c4bb64660482f7313393ce458561', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xafeaa1686a8113df9fe142bb2cafe524', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x1c58891a88d3570ca4f1f4fa8e637a44', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x0dc6356e98f5e31ff23b9ea2744115bd', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xd882b4b3529d31f182d36f1680d13955', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xb667fabe1c648fdb20ad5e571364fdfc', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xb0f3b688670cf05440584797efa89022', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\xcfdaec6f4838fb52cff1765bd4871587', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\x3a5d5eaad900673e65122c88a1c7cae4', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\x8bae68effb41366f2474e5fdce1dc406', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\x629380ef554aecc85c9c3d9ca2da3954', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\xb01d9ada9ceae2609fb8bebf86984305', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\xbee3015b45abc02c57be5080f558bf77', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\xd66c1b355d625c32a75046c144a39626', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\x6a07b251838e00c40b12c823ca63b133', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x05ed14c799946b21656535d4deca10f8', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x6a5feeb71af78ad5cb7c87a69b98017e', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\xe44118feb48cd678b6ff320688b33ba6', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x68d614a29d651a4e0eab005da8f3d0da', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x3e1009c30cf9cb0c404212542df8eedc', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x7d53daaa5ff0b4c34b5fc65167705004', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\xd27b83117046317208fa8a7a0fb58733', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x29f6309b79358bc098360e5b94663c6a', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\xb52c727d276a2a548b90df0115064e83', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xdf5be08a32fcfd735f3d8fb556174cee', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x45d51bf86e5d9cc3711e0efefd1cd0b3', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x3b6faae68820050333df3b81ac8d78ff', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xae016a06508434225ca171d498b152d5', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x103db990c7ee34944ff1374ecd3d805b', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x986002647ec70cc3cf1212315f15a03a', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xacad277ca50f4bd763ed7caa0a7aa4db', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x0cda375fe1df821188deb384c601027c', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xc011b2384b6f35cd2d98ad4c91beaeb6', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x5ff006368b48d109e89bb74a78f3d7ff', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x68c55d54ae4de8235f0edf09407b6b57', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x6103aa201b860fc5b6eb7240a82aa7e3', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x8592c37bb813c84e4fcfd716e9b7181e', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x29c7b3b6feccad97090f7bcbf6d6d8dd', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x53bbb0c41324b3f88da419d112ad17b6', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x5771095ede0f5762107d92e1fca60de0', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x6677e4a4d4ba8f1e88dbf3d25c2da5f0', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x4bfdf9add9672b7fce426270378a101f', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xc19569f14466bf15a3980e5e50dff496', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x8bd56f2f9570cf9776984f4b7a5e5a4e', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xef6f73325c48d427b9e8e9c79267c135', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xfff1420682039d91d60bd7fb157e48ee', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xcb799ed562b71a9ba61cfec81e24cccf', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x4ed4c6dc92cbcde6382ab1f1a4efbf86', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xef32b66a961134377f9f8bfcdf3bdd2b', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xd428f288b671a8bb25ab92f048bd7672', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc977d398db175317f951ca4f8e4e9df3', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8ac5e24fcf9af3237a3f0ee848b92ed3', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd108e99bbde74fecd3629ad52d018dc6', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x373bdac24a0a1eaa36bc7ee51d864399', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x268ad071fdf1048377d8e9c4998f9d64', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xce2846cd4dc5025afe10ebec955445a8', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf1d6d87354398b5a4015df054f6e92ff', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x51f15641f4af4bbb822889cb37c454e7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9787bbd27f2d6d37aad64dbf2d42fa10', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8b74e9cadfcf07f575f4223d54db10ff', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xbf89c1e74fab8d7ab4f05183854ddf99', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x2993ea890d268e9764fc28c3d8b96b10', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd3bff76b3643aa9970e0a60f6104ed4f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf1bbda42ed49d5703a9e1a7dd61e0d2c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5426aec51a7986304393367f07320c01', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x0baba8e995142044c083e0dbf3470a8a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc92739fd1f5414fed72f4c072f0b7027', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7fc3e92c5108bcbf177e9f9e0c6d747a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x86abc3b3803d2d2b236b3652256b0521', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9dabde667e85473250aef8551de572a1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1a850f2a1a967eeec0d55059e0d26e55', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xeecb1cbe901fafe28ed1d1d86b72486b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x19cb7f9a5bec7bb8c3278d803e50ab6d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8c3b640e34b44cdd171e422664a5d3b5', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1e63020ab0afd7acb3753e0568a8c2a7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa95296acdbc264f02c2c142e49cf76fb', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7ffe891211f83ecc3e75d5792fdde5fa', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x639fb464075ebaf6acc9e037f57e73ab', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9816a6e203a1f4ea629107bf2473d1e2', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x30440a854d111890e94cf83838b8257d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x196c39e84b7309115d2a73100c9e4995', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x46ac1b0f16beac572af8776dc94a62ce', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x845808dca26996c8b8a0e949d5c23fab', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x372f941d6fd198a6511bfb79f7867af5', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb83d75b211d6cd7f498d36cdb90bf286', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5715cc64ae02c0e766d4153be1124110', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf622cf4ffd829ace1cfebeb523289f08', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8a8dd60ee96076824c1b294e4507bdd3', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc46b4d23801f3dbed124b2fd94167d9f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xaf35619cba1872dc0d67815e665c0bd1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xae867820d76fb40f5078f0b9bd144cf6', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x56deb27beb9c6fc2e51702d137bb9630', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf012a50e62cef933ef1e418ebdfceee6', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9b3cc12380a034a0963ce8299ea82d71', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x99fac4ae8c80806671282c34022d7412', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x065fdc15702d3058c41ac5e46c595eea', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x34bbe4e7328e7f1ec3639a6436629ac5', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x2c04f151748d62683ce942081d31c925', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9904168c5938cb4b6e2044486ff659e9', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5865c5e97ad2aa52430d793dd5757f47', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf2085c031cf0a055536f623f41f9be65', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x3c339f710b815d2fc7b34ea694d17096', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xacf33f0eee2dd1bf4c8bf53c26be54ad', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd43702a6061da007a0d164a0b20a498b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb61b425ebb57942c44a4d9f153e04b5a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xed490ae7071fe1f7a606217f46e94027', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x065ed08ee857cd09d4fabb8849a3ca86', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x340685503bc1b1ae8492aa4e4b21aaa5', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x2aecc55f7f5c35a4af4c4a9f69cbfc2f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x65fac836b125ea679133db59c5abb61c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xad50389ec169fcf6bbe685c22392ccb2', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x0daa5a69c2f8c3287c4e3fc21f3f4985', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x692d668bf97ecc5f6c880f0ed2582ea1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x3f94c2e5024c69e08c959ba594471b05', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x4edf61f91766940dc3dc5c9d4e7e1a91', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe975510a5683e9522092d4b078f9a6ab', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xca16b58235a099b1fdd84c08bc362c63', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x52620ec57cbd267d2784e07fda8e9ddc', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x62337b038341615c1c84dabd339c16fc', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa5dfcf221f8a956efe0f98789f6412a1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x20f7092b6f799f0ccdd79cee0d705319', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x6f3dc621cb561b2e27cb27cfe0eac952', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf250e8f0ed02202a0ad7245e2782efd8', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xfd38550780790a68f37c49867f20c5ba', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x2582ca2b193605ad05ac1f6d5add454e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x15031ef833bd692ce5a9bf6039e3cf2e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb2231e28c4dc8befa83091ea4d4f5bb2', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb27c8b2d2bc39a102522c6cf947c5be7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5dc1ab1fa9ca64f889624607f13cfdcb', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x77c26e24240181b0d426039d5cfe81e3', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe96be4cce16981ff471fffac2d7dbbef', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb96cc68a9f175028b382d139e61cea85', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x253bf92bf32e87e055146234c75c7d0b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x70d0704a158bab33a6f0c78109d5025c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x166d56f519bf395bb2c5fda1a873615f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xfbd85b17931eae8efbeeab70ddb7f419', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xfe04bffef3dc3f5592344e4d27b2ac13', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xd9f6ed730c626c1a22260a499b4c1f44', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x4a91d16ade790413e7de439b6f89ccd5', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x04b7934978f27ee6d1206f3d7848ce13', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x1aeb2e6d991d9ffa42bf52169781b9c0', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xdb0f020cf612136a7df5551d070b5c72', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xcaf7c73c59aec285feb761e7938d8bb8', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x1fac68f6bc14820e43fc39c4f6197d89', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xf66037aa43b111ede13b415330880779', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6d8f123f04e948a5283fcf4c38834d1e', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x8bae172af2e20889fbee096ad6f54581', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x624227af6b6eb77373d8a82adc373034', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xd5b7cd16af56888d709997e2245f203b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x31f713dec5911de7a5439e7fcd1e8304', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x049545fbd1d8262e8b5826ae58876d05', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x22071d86d183504f4a27192419bf7f8b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xbf67ab849b79427ba006474348b0c247', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xb524f71f5e280d55943624c497ff0b54', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x3f78913841fa0b28095da0bd4cebd9ec', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x57474873ea595deb7967cbc9256d7d66', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x971b2be117ec4a779433e811316d2da1', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x775a8876f67f989226fcb95f014a8093', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xdb99aad25eb4cfe66b6f62ea5bdd2a8c', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x14b6f3034489764c1ef38381de29da22', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xcf36d7e20796d4a0a63399eef13806d8', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x089a2ea15513eec1ee5bba55875beb1e', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x9fa9e176b44274420cf5134d7b236ab8', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xf532a1413770e339c0cbca009c9d1276', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x68e23cf1914d31cb7fcca830b58978dd', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xfc834f9aebbc3b298f44259c01893cbe', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x7ea07902037ffa257e6b256ed27c0f79', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x471ffbb41e28f22bdba509b43bec8103', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x5bc4f5438210ee9933c0cc2e0b137ab5', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xd73d7260e48bcce58d90325e241bea65', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xd799dcd0828a50fd78b05f3d76ead617', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6478d9d4c7878e2c9b3404c1282d4ca6', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x936fa2d72cdd4b81d48ffcbec9e0f445', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xa4ec020b292c776007cce320a74c9830', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xe9c182ae9de8d642a62d5cf699efdfe3', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc9197901f317b4d85edb23260b922102', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x734a9933564cc4a806fe88131e52def7', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc6646655f68ea3ddd0f04c891ce74436', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x34c864a8a83d89d81309ae52bf58ab30', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x050f411179865a71c116806cc6369622', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xcbb3dc8abf5b8755b2374ce1bdb0a494', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xf895c0f5f1d09ca573391c6a3b08b85b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x08e6ef81039c4c8d7e21e45500d25371', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xeb316381196997b6f18f69b26b1baf25', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x7751d7803dfafd4cac41ab0173c1b29f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x113d404602deaca77736575b806ecbd2', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xa02f735cfecacb17cb13c01b5c7aeec2', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xbab0f0ddefb28f60d197e2fb93ca08a1', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6c91d6df210e135e215aa29b9ab40bf0', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6c9870a5d263f23ebd142e29de00d346', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x68af1c303d4fcbeec331faefbaf5382f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x527d222567cca4a0bc56f85b4d9743ac', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x1c6244a8bf58495a0598a0f31b0a49c1', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x26af63874c5019edd34724fd42897fce', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xd20c136a153ee4d052b6b5627d3d994f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x57e9a2bb77667d5d21eec9dfa702b88d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc9a2735b439bf61c5a268b2f99f4f65a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x07b68b7432bf446ef46fcbfeeb7c4de1', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x0c583c3f90bb003660656a00255e3a99', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xf378dad5fe3e874f0331b39b811ee54f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x0ffbc7d68bfc1cbbba3eed9944cef2a7', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x2415f3a2abb11d3e90b24f515d5b07e8', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6e20e4bab7afb4ff394fe66f9ccf50ea', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x63743ed943ac5ee0e2c9da02c22f79e8', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xd9abbd1cd3570c966f8a362531f60622', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x66091c1ff64add4785b0e0c7ebd73038', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xe8bf71e4dc4451e6309e9884f75ae239', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x2dfb011cf5034ca4839b18347d1ae131', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xb830365b46408d5a4464c8c265c79309', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x746e129d0817f2665c346a7acecf6f91', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x3d801cf3047733d65165c103f64edd47', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6f6892a66d1a5035c0d2ba47702cac72', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xe1cde50ffd0a42e60eb88772e54e7766', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc6318396af0a7d1c2f9449a6e3a40291', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x2ee321fca35cd3326e1d36b0d6893f07', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6e1eb1a6be6cbca96a1314c114d89a48', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xefe0d6816fd59068e3092e7a9063d545', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x0f2a104689f1db873a02fd2ac532691c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xff5e09992995a4c7a26022c6e4560605', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x09b6e6601e58a9c6a85bbe5da2994e7d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x11276c6b08facdb7eaaae637c04a30d1', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6e2cf88318a78c5b7b6e78807ce9fe8e', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc3988274f8082dfbdde7df87e1e19e12', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xdb88c12233685f301569eadb00b5c7e8', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xcddae2c86b444c3ccd8a260139a62d05', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xbc2d841dd1e6a426ac39c4b010b8c9c4', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x0328ff82ade152fa202faf63f406f57f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x3c230156418ed55fe26dde2b37d23e80', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x73cd8939783dcf84da01b66766781255', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xe5cefff5087f860dc4d5e153b8aba9bc', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc9d95ccc77a7bce360bc3a8d4cd9b5c3', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x52380924fa032c8867f9beafe11e8057', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc2e601bc8fb0fd28f411cd5f7629a17e', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x9e223219a709c23e22e8ab816fce3079', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x9c7bcc361cc91d4762e5ea04adeef998', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xf89a4469531ed8ac74cd0881ecac85e5', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x11350a4f162470945d5b5f600d6c3a91', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xbb65c8ba353dace0fb2ce0e6b83db881', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x9414527ee31e5879e0295631985acc3b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x8b8e76c6ab371605bbb0b5b6cc74e053', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x191bcdb90d4e3dbba07a1597dd4bb021', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x0591292944dc83f44ff5f2f95c2188b1', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x99dd98f90f7b935f74561e0fc8e7d55d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x09e1c197c47873f1a8db3e4f1e1efc6b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x5bcfe100e29cb86819c33ab6070b52f3', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x5883aa09886b10021c3b2c8bde8f989d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xf5af1bcae4930e714561b6de29d9098d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x335a436cdd4c820a1bc67df4ec139b4a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xd3ba8617235e949faad0b0ac967b94af', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x3ed0d8831e806c3bfd86955fc4be2ea7', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x25225783e1822248eb3008504ac73949', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x342fba5e68a1904413d4d92e3ee52b48', 1700000238000);


--
-- Data for Name: ff_budget; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_budget VALUES ('default', 'company', '{"tokens":1000,"usd":100}', '{"usd":50}', NULL, NULL, 'pause', NULL);
INSERT INTO public.ff_budget VALUES ('default', 'team', '{"usd":20}', '{}', NULL, 'company', 'cancel', NULL);
INSERT INTO public.ff_budget VALUES ('default', 'trial', '{"usd":5}', '{}', '{"type":"Cron","text":"0 0 1 * *","timezone":"UTC"}', NULL, 'pause', NULL);


--
-- Data for Name: ff_budget_day; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: ff_budget_use; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_budget_use VALUES ('default', 'company', 0, '{"usd":10}', '{"usd":4}', '{}', '[]', '[]');
INSERT INTO public.ff_budget_use VALUES ('default', 'team', 0, '{"usd":3}', '{"usd":4}', '{}', '[]', '[]');
INSERT INTO public.ff_budget_use VALUES ('default', 'trial', 1698796800000, '{"usd":5}', '{}', '{}', '[]', '["usd"]');


--
-- Data for Name: ff_cancel_backlog; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_cancel_backlog VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', 1700000236000, 1);


--
-- Data for Name: ff_cancel_backlog_member; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_cancel_backlog_member VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', '018bcfe5-6800-7000-8009-000000000001', 1700003836000);


--
-- Data for Name: ff_capability_set; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_capability_set OVERRIDING SYSTEM VALUE VALUES (1, '[",,"]');
INSERT INTO public.ff_capability_set OVERRIDING SYSTEM VALUE VALUES (2, '[","]');
INSERT INTO public.ff_capability_set OVERRIDING SYSTEM VALUE VALUES (3, '["gpu","ssd"]');


--
-- Data for Name: ff_command; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_command VALUES ('', 'cancel-1', '\x3d72f5c864b51f7e522f91c5f01920a1', '\x82a7616e73776572739183a474797065a943616e63656c6c6564ac657865637574696f6e5f6964d92d7b66703a3235327d3a30313862636665352d363830302d373030302d383030302d303030303030303030303039ac7075626c69635f7374617465a963616e63656c6c6564a769735f6c697374c2', 1700086634000);
INSERT INTO public.ff_command VALUES ('', 'create-1', '\x05ffcf6ffc4116e2391770c27800b35a', '\x82a7616e73776572739183a474797065a743726561746564ac657865637574696f6e5f6964d92c7b66703a38367d3a30313862636665352d363830302d373030302d383030302d303030303030303030336537ac7075626c69635f7374617465a777616974696e67a769735f6c697374c2', 1700086638000);


--
-- Data for Name: ff_count; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: ff_count_move; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'forgotten', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'forgotten', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333333, 288, 482, 'default', 'forgotten', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 482, NULL, 'default', 'forgotten', 'mail');
INSERT INTO public.ff_count_move VALUES (2, NULL, NULL, 0, 'default', 'reports', 'report');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'completed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'completed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333336, 288, 481, 'default', 'completed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'completed-without-a-result', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'completed-without-a-result', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333336, 288, 482, 'default', 'completed-without-a-result', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'failed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'failed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 68, 'default', 'failed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 68, 0, 'default', 'failed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'failed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 68, 'default', 'failed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 68, 0, 'default', 'failed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'failed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 545, 'default', 'failed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'failed-for-good-at-once', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'failed-for-good-at-once', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 545, 'default', 'failed-for-good-at-once', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'timed-out', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'timed-out', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'lost', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'lost', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'expired', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 545, 'default', 'lost', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 545, 'default', 'timed-out', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 0, 673, 'default', 'expired', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'cancelled', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 0, 609, 'default', 'cancelled', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'cancelled-while-it-ran', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'cancelled-while-it-ran', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 609, 'default', 'cancelled-while-it-ran', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'completed-twice', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'completed-twice', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 481, 'default', 'completed-twice', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 481, 0, 'default', 'completed-twice', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'completed-twice', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 481, 'default', 'completed-twice', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'released', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'released', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 0, 'default', 'released', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'put-off', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'put-off', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 68, 'default', 'put-off', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'revoked', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'revoked', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 0, 'default', 'revoked', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'interrupted', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'interrupted', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 0, 'default', 'interrupted', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'replayed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'replayed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 481, 'default', 'replayed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 481, 0, 'default', 'replayed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'held-and-let-go', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 28, 'default', 'held-and-let-go', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 28, 0, 'default', 'held-and-let-go', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'all-of-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'all-of-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'all-of-c', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 200, 'default', 'all-of-d', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 4096, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'any-of-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'any-of-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'any-of-c', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 200, 'default', 'any-of-d', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 4096, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'any-of-let-run-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'any-of-let-run-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'any-of-let-run-c', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 200, 'default', 'any-of-let-run-d', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 4096, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'quorum-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'quorum-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'quorum-c', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 200, 'default', 'quorum-d', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 4096, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'quorum-let-run-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'quorum-let-run-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'quorum-let-run-c', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 200, 'default', 'quorum-let-run-d', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 4096, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'all-of-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4096, 4100, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 480, 'default', 'all-of-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'any-of-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4096, 4100, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 544, 'default', 'any-of-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'any-of-let-run-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4096, 4100, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 480, 'default', 'any-of-let-run-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 200, 0, 'default', 'any-of-let-run-d', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'quorum-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4096, 4100, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 480, 'default', 'quorum-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'quorum-let-run-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4096, 4100, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 480, 'default', 'quorum-let-run-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'quorum-let-run-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 480, 'default', 'quorum-let-run-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 200, 0, 'default', 'quorum-let-run-d', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'quorum-let-run-c', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'completed-flow-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 200, 'default', 'completed-flow-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 4096, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'failed-flow-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 200, 'default', 'failed-flow-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 4096, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'reopened-flow-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 200, 'default', 'reopened-flow-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 4096, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'cancelled-flow-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 200, 'default', 'cancelled-flow-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 4096, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'cancelled-pending-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 200, 'default', 'cancelled-pending-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 4096, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'flow-only-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 200, 'default', 'flow-only-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 4096, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'completed-flow-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4096, 4100, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 480, 'default', 'completed-flow-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 200, 0, 'default', 'completed-flow-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'completed-flow-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 480, 'default', 'completed-flow-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4100, 4105, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 544, 'default', 'reopened-flow-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 200, 736, 'default', 'reopened-flow-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4100, 4109, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, 544, 0, 'default', 'reopened-flow-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4109, 4100, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'tenant-a', 'of-a-tenant', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'waiting-for-an-editor', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 352, 'default', 'waiting-for-an-editor', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'cancelled-while-it-waited', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 352, 'default', 'cancelled-while-it-waited', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 352, 609, 'default', 'cancelled-while-it-waited', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'waiting-with-a-timeout', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 352, 'default', 'waiting-with-a-timeout', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'resumable', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 352, 'default', 'resumable', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 352, 384, 'default', 'resumable', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'signalled-before-it-waits', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 481, 'default', 'child-0', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 545, 'default', 'child-1', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'behind-a-limit,-in-another-turn', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'in-a-block', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'spender', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 609, 'default', 'spender', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'behind-a-budget', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'behind-a-pause', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'default', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'default', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'default', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'default', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 68, 'default', 'delayed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'waiting-for-its-retry', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 68, 'default', 'waiting-for-its-retry', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'active', 'print');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'active-with-an-expired-lease', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'failed-flow-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4096, 4100, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 544, 'default', 'failed-flow-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 200, 736, 'default', 'failed-flow-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4100, 4109, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'reopened-flow-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4096, 4100, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'cancelled-flow-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4096, 4100, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 608, 'default', 'cancelled-flow-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 200, 608, 'default', 'cancelled-flow-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4100, 4113, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'cancelled-pending-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4096, 4100, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 200, 608, 'default', 'cancelled-pending-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4100, 4112, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'flow-only-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4096, 4100, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, 4100, 4112, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 4096, 'default', '', '');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'by-hand-a', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'by-hand-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 200, 'default', 'by-hand-b', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'paused', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'resumed', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'waiting-for-an-editor', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'completed-after-a-wait', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'completed-after-a-wait', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 352, 'default', 'completed-after-a-wait', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 352, 384, 'default', 'completed-after-a-wait', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 384, 288, 'default', 'completed-after-a-wait', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 481, 'default', 'completed-after-a-wait', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'resumed-by-its-timeout', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'resumed-by-its-timeout', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 352, 'default', 'resumed-by-its-timeout', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'failed-by-the-timeout-of-a-wait', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'failed-by-the-timeout-of-a-wait', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 352, 'default', 'failed-by-the-timeout-of-a-wait', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'escalated', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'escalated', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 352, 'default', 'escalated', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 352, 384, 'default', 'resumed-by-its-timeout', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 352, 545, 'default', 'failed-by-the-timeout-of-a-wait', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'cancelled-while-it-waited', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'waiting-for-votes', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'waiting-for-votes', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 352, 'default', 'waiting-for-votes', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'sleeping', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'sleeping', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 352, 'default', 'sleeping', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'waiting-with-a-timeout', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'resumable', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'suspended-and-held', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'suspended-and-held', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 352, 'default', 'suspended-and-held', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'waiting-at-a-closed-waitpoint', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'waiting-at-a-closed-waitpoint', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 352, 'default', 'waiting-at-a-closed-waitpoint', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'lingering', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'lingering', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'parent', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'parent', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'child-0', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'child-1', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'child-2', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 352, 'default', 'parent', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'child-0', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'child-1', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 352, 384, 'default', 'parent', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'speaking', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'speaking', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 288, 0, 'default', 'speaking', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'speaking', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'fell-silent', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'fell-silent', 'mail');
INSERT INTO public.ff_count_move VALUES (1, 28333337, 288, 481, 'default', 'fell-silent', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'under-a-limit', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'under-a-limit', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'behind-a-limit', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 144, 'default', 'behind-a-limit', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 144, 'default', 'behind-a-limit,-in-another-turn', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'in-a-block', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'spender', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 140, 'default', 'behind-a-budget', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 144, 'default', 'behind-a-pause', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'held', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 28, 'default', 'held', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'waiting-for-its-retry', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'active', 'print');
INSERT INTO public.ff_count_move VALUES (1, NULL, 0, 288, 'default', 'active-with-an-expired-lease', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 68, 'default', 'delayed-and-due', 'mail');
INSERT INTO public.ff_count_move VALUES (1, NULL, NULL, 0, 'default', 'past-its-deadline', 'mail');


--
-- Data for Name: ff_due; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_due VALUES (4, 1702592202000, 235, '018bcfe5-6800-7000-8000-000000000003');
INSERT INTO public.ff_due VALUES (3, 1700003834000, 2, '018bcfe5-6800-7000-8000-00000000000d');
INSERT INTO public.ff_due VALUES (6, 1700003838000, 113, '018bcfe5-6800-7000-8000-00000000001c');
INSERT INTO public.ff_due VALUES (6, 1702592238000, 230, '018bcfe5-6800-7000-8000-00000000001d');
INSERT INTO public.ff_due VALUES (0, 1700086638000, 86, '018bcfe5-6800-7000-8000-00000000002f');
INSERT INTO public.ff_due VALUES (3, 1700003838000, 48, '018bcfe5-6800-7000-8000-000000000030');
INSERT INTO public.ff_due VALUES (3, 1700003838000, 59, '018bcfe5-6800-7000-8000-000000000032');
INSERT INTO public.ff_due VALUES (3, 1700000239000, 227, '018bcfe5-6800-7000-8000-000000000035');
INSERT INTO public.ff_due VALUES (0, 1700000239000, 44, '018bcfe5-6800-7000-8000-000000000036');


--
-- Data for Name: ff_edge; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f43d-5eb4-7000-8001-c605b3a2ef40', '018bcfe5-6800-7000-8001-000000000002', '018bcfe5-6800-7000-8001-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f43d-5eb4-7000-8002-a2ab40c032fe', '018bcfe5-6800-7000-8001-000000000003', '018bcfe5-6800-7000-8001-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f43d-5eb7-7000-8001-f40993915d14', '018bcfe5-6800-7000-8002-000000000002', '018bcfe5-6800-7000-8002-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f43d-5eb7-7000-8002-953dbd2e70e7', '018bcfe5-6800-7000-8002-000000000003', '018bcfe5-6800-7000-8002-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f43d-5eb8-7000-8000-de9c52a7ba07', '018bcfe5-6800-7000-8003-000000000001', '018bcfe5-6800-7000-8003-000000000004', 'left', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f43d-5eb8-7000-8002-4f6129ba502c', '018bcfe5-6800-7000-8003-000000000003', '018bcfe5-6800-7000-8003-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f43d-5eba-7000-8001-ff25ab79bc90', '018bcfe5-6800-7000-8004-000000000002', '018bcfe5-6800-7000-8004-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f43d-5eba-7000-8002-e0290d0289ea', '018bcfe5-6800-7000-8004-000000000003', '018bcfe5-6800-7000-8004-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f43d-5ebc-7000-8002-b53301987ab8', '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-8005-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f43d-5eb4-7000-8000-1baed2bfde6b', '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-8001-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f43d-5eb7-7000-8000-44f9a6e8570a', '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-8002-000000000004', 'left', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f43d-5eb8-7000-8001-95f95680a7cd', '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-8003-000000000004', 'right', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f43d-5eba-7000-8000-d278ded6074e', '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-8004-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f43d-5ebc-7000-8000-1d4f237484b9', '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-8005-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f43d-5ebc-7000-8001-efb048a2e76b', '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-8005-000000000004', 'right', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (95, '018bcfe5-6800-7000-80ff-00000000000a', '01a1f43d-5f27-7000-8000-4c9a1ebd82cd', '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-800a-000000000002', 'before', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (126, '018bcfe5-6800-7000-80ff-00000000000b', '01a1f43d-5f28-7000-8000-c6413faf926e', '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-800b-000000000002', 'before', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (211, '018bcfe5-6800-7000-80ff-000000000006', '01a1f43d-5f20-7000-8000-6700591a7a5a', '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-8006-000000000002', 'before', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (242, '018bcfe5-6800-7000-80ff-000000000007', '01a1f43d-5f22-7000-8000-d52f65c1cbdc', '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-8007-000000000002', 'before', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (29, '018bcfe5-6800-7000-80ff-000000000008', '01a1f43d-5f23-7000-8000-42431ad633d7', '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-8008-000000000002', 'before', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', '01a1f43d-5f25-7000-8000-a210d9cdbe31', '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-8009-000000000002', 'before', 1700000236000, 3, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (208, '018bcfe5-6800-7000-80ff-000000000063', 'by-hand-1', '018bcfe5-6800-7000-8063-000000000001', '018bcfe5-6800-7000-8063-000000000002', 'before', 1700000236000, 0, -1, NULL);


--
-- Data for Name: ff_edge_group; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_edge_group VALUES (52, '018bcfe5-6800-7000-8001-000000000004', '018bcfe5-6800-7000-80ff-000000000001', 0, NULL, NULL, 3, 1, 0, 0, 0, 1);
INSERT INTO public.ff_edge_group VALUES (87, '018bcfe5-6800-7000-8002-000000000004', '018bcfe5-6800-7000-80ff-000000000002', 1, NULL, 0, 3, 0, 1, 0, 0, 1);
INSERT INTO public.ff_edge_group VALUES (118, '018bcfe5-6800-7000-8003-000000000004', '018bcfe5-6800-7000-80ff-000000000003', 1, NULL, 1, 3, 1, 0, 0, 1, 1);
INSERT INTO public.ff_edge_group VALUES (145, '018bcfe5-6800-7000-8004-000000000004', '018bcfe5-6800-7000-80ff-000000000004', 2, 2, 0, 3, 1, 0, 0, 0, 1);
INSERT INTO public.ff_edge_group VALUES (176, '018bcfe5-6800-7000-8005-000000000004', '018bcfe5-6800-7000-80ff-000000000005', 2, 2, 1, 3, 2, 0, 0, 1, 1);
INSERT INTO public.ff_edge_group VALUES (95, '018bcfe5-6800-7000-800a-000000000002', '018bcfe5-6800-7000-80ff-00000000000a', 0, NULL, NULL, 1, 0, 0, 0, 0, 1);
INSERT INTO public.ff_edge_group VALUES (126, '018bcfe5-6800-7000-800b-000000000002', '018bcfe5-6800-7000-80ff-00000000000b', 0, NULL, NULL, 1, 0, 0, 0, 0, 1);
INSERT INTO public.ff_edge_group VALUES (211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 0, NULL, NULL, 1, 1, 0, 0, 1, 1);
INSERT INTO public.ff_edge_group VALUES (242, '018bcfe5-6800-7000-8007-000000000002', '018bcfe5-6800-7000-80ff-000000000007', 0, NULL, NULL, 1, 0, 1, 0, 2, 1);
INSERT INTO public.ff_edge_group VALUES (29, '018bcfe5-6800-7000-8008-000000000002', '018bcfe5-6800-7000-80ff-000000000008', 0, NULL, NULL, 1, 0, 1, 0, 2, 1);
INSERT INTO public.ff_edge_group VALUES (60, '018bcfe5-6800-7000-8009-000000000002', '018bcfe5-6800-7000-80ff-000000000009', 0, NULL, NULL, 1, 0, 1, 0, 0, 1);
INSERT INTO public.ff_edge_group VALUES (208, '018bcfe5-6800-7000-8063-000000000002', '018bcfe5-6800-7000-80ff-000000000063', 0, NULL, NULL, 1, 0, 0, 0, 0, 1);


--
-- Data for Name: ff_ends; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: ff_event; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (3, '796', 2, 'schedule_paused', 'default', 0, NULL, NULL, 1, '{"schedule":"paused","reason":"look first"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (4, '797', 2, 'schedule_paused', 'default', 0, NULL, NULL, 1, '{"schedule":"often","reason":"for a moment"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (5, '798', 2, 'schedule_resumed', 'default', 0, NULL, NULL, 2, '{"schedule":"often"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (6, '800', 2, 'schedule_changed', 'default', 0, NULL, NULL, 1, '{"schedule":"nightly"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (7, '801', 2, 'schedule_forgotten', 'default', 0, NULL, NULL, 1, '{"schedule":"gone"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (8, '803', 0, 'acquired', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (9, '804', 1, 'completed', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 2, NULL, 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (10, '806', 0, 'acquired', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (11, '807', 1, 'completed', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 2, NULL, 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (12, '809', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (13, '810', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700000203000}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (14, '814', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 3, '{"attempt_index":1,"lease_epoch":2,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000212000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (15, '815', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 4, '{"code":"smtp_down","next_attempt_index":2,"delay_until_ms":1700000214000}', 1700000212000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (16, '818', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 5, '{"attempt_index":2,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000222000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (17, '819', 1, 'failed', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 6, '{"code":"smtp_down"}', 1700000222000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (18, '823', 0, 'acquired', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (19, '824', 1, 'failed', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 2, '{"code":"bad_address"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (20, '826', 0, 'acquired', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (21, '828', 0, 'acquired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (22, '830', 0, 'expired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (23, '830', 1, 'failed', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 3, '{"code":"worker_lost"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (24, '831', 1, 'failed', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 2, '{"code":"attempt_timeout"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (25, '832', 1, 'expired', 'default', 213, '018bcfe5-6800-7000-8000-000000000008', NULL, 1, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (26, '836', 1, 'cancelled', 'default', 252, '018bcfe5-6800-7000-8000-000000000009', NULL, 1, '{"reason":"not wanted","source":"operator_override"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (27, '838', 0, 'acquired', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (28, '839', 0, 'revoked', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 2, '{"reason":"stop"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (29, '839', 1, 'cancelled', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 3, '{"reason":"stop","source":"application"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (30, '841', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (31, '842', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (32, '843', 2, 'replayed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0,"steps":"cleared","steps_kept":0,"from_step":null}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (33, '844', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 4, '{"attempt_index":0,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"replay"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (34, '845', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 5, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (35, '847', 0, 'acquired', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (36, '848', 0, 'released', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (37, '850', 0, 'acquired', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (38, '851', 0, 'released', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 2, '{"delay_until_ms":1700003834000}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (39, '853', 0, 'acquired', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (40, '854', 0, 'revoked', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 2, '{"reason":"drain"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (41, '856', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (42, '857', 0, 'expired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (43, '861', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (44, '862', 1, 'completed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (45, '863', 2, 'replayed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0,"steps":"cleared","steps_kept":0,"from_step":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (46, '865', 2, 'held', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 1, '{"reason":"look first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (47, '866', 2, 'unheld', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (48, '876', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (49, '877', 1, 'completed', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (50, '878', 0, 'acquired', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (51, '879', 1, 'failed', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (55, '883', 1, 'completed', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (52, '880', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (53, '881', 1, 'completed', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (54, '882', 0, 'acquired', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (56, '884', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (57, '885', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (58, '886', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (59, '887', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (60, '888', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (61, '895', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (63, '897', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (66, '899', 0, 'acquired', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (67, '900', 1, 'failed', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (68, '900', 1, 'skipped', 'default', 242, '018bcfe5-6800-7000-8007-000000000002', '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (69, '900', 1, 'flow_failed', 'default', 242, NULL, '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (70, '901', 0, 'acquired', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (76, '904', 0, 'acquired', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (77, '905', 2, 'flow_cancel_requested', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-000000000009","cancellation_policy":"cancel_all","reason":"enough","member_count":2}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (78, '905', 1, 'flow_cancelled', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (79, '905', 0, 'revoked', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 2, '{"reason":"enough"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (80, '905', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 3, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (81, '905', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000002', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (82, '906', 0, 'acquired', 'default', 95, '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (83, '907', 2, 'flow_cancel_requested', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000a","cancellation_policy":"cancel_pending","reason":"enough","member_count":1}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (84, '907', 1, 'flow_cancelled', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (85, '907', 1, 'cancelled', 'default', 95, '018bcfe5-6800-7000-800a-000000000002', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (86, '908', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (87, '909', 2, 'flow_cancel_requested', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000b","cancellation_policy":"flow_only","reason":"enough","member_count":0}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (88, '909', 1, 'flow_cancelled', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (89, '916', 2, 'lane_paused', 'default', 0, NULL, NULL, 1, '{"lane":"paused","reason":"provider is down"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (90, '918', 2, 'lane_paused', 'default', 0, NULL, NULL, 1, '{"lane":"resumed","reason":"for a moment"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (91, '919', 2, 'lane_resumed', 'default', 0, NULL, NULL, 2, '{"lane":"resumed","paused_since_ms":1700000236000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (92, '921', 2, 'lane_paused', 'tenant-a', 0, NULL, NULL, 1, '{"lane":"default","reason":""}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (93, '924', 0, 'acquired', 'default', 232, '018bcfe5-6800-7000-8000-000000000015', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (95, '930', 0, 'acquired', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (96, '931', 0, 'suspended', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (97, '932', 3, 'delivered', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 3, '{"key":"editor","name":"verdict","signal_id":"ec539b12-4e16-85e9-aab8-51e15376c0bb","waitpoint_id":"102ffe25-865c-8d4d-a360-d9d550ef8295","source_identity":"bob","effect":"resumed"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (98, '932', 3, 'resumed', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 4, '{"name":"wait","cause":"signal"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (99, '933', 3, 'delivered', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 5, '{"key":"typo","name":"","signal_id":"3cc23c44-5ee5-8a57-815d-155b817dd459","waitpoint_id":"d6b1e452-8684-8fb8-ad99-e6a48c260717","source_identity":"","effect":"buffered"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (100, '934', 0, 'acquired', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 6, '{"attempt_index":0,"lease_epoch":2,"worker_instance_id":"worker-1/a","claim_type":"resume"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (101, '936', 1, 'completed', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 7, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (102, '938', 0, 'acquired', 'default', 147, '018bcfe5-6800-7000-8000-000000000017', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (103, '939', 0, 'suspended', 'default', 147, '018bcfe5-6800-7000-8000-000000000017', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":1700000237000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (104, '941', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8000-000000000018', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (105, '942', 0, 'suspended', 'default', 211, '018bcfe5-6800-7000-8000-000000000018', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":1700000237000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (106, '944', 0, 'acquired', 'default', 20, '018bcfe5-6800-7000-8000-000000000019', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (107, '945', 0, 'suspended', 'default', 20, '018bcfe5-6800-7000-8000-000000000019', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":1700000237000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (108, '946', 2, 'escalated', 'default', 20, '018bcfe5-6800-7000-8000-000000000019', NULL, 3, '{"name":"wait"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (62, '896', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (64, '898', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (65, '898', 1, 'flow_completed', 'default', 211, NULL, '018bcfe5-6800-7000-80ff-000000000006', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (71, '902', 1, 'failed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (72, '902', 1, 'skipped', 'default', 29, '018bcfe5-6800-7000-8008-000000000002', '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (73, '902', 1, 'flow_failed', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (74, '903', 2, 'flow_reopened', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (75, '903', 2, 'replayed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"failed","previous_attempt":0,"steps":"kept","steps_kept":0,"from_step":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (94, '926', 0, 'suspended', 'default', 232, '018bcfe5-6800-7000-8000-000000000015', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (112, '950', 0, 'suspended', 'default', 220, '018bcfe5-6800-7000-8000-00000000001a', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (113, '951', 1, 'cancelled', 'default', 220, '018bcfe5-6800-7000-8000-00000000001a', NULL, 3, '{"reason":"not wanted","source":"operator_override"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (121, '962', 0, 'suspended', 'default', 230, '018bcfe5-6800-7000-8000-00000000001d', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":1702592238000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (123, '965', 0, 'suspended', 'default', 75, '018bcfe5-6800-7000-8000-00000000001e', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (124, '966', 3, 'delivered', 'default', 75, '018bcfe5-6800-7000-8000-00000000001e', NULL, 3, '{"key":"editor","name":"","signal_id":"f7ad4497-4d10-8086-b6a3-bf1e6367057d","waitpoint_id":"69b82615-af51-82e6-af9a-33d31d65e0c3","source_identity":"","effect":"resumed"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (125, '966', 3, 'resumed', 'default', 75, '018bcfe5-6800-7000-8000-00000000001e', NULL, 4, '{"name":"wait","cause":"signal"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (132, '977', 3, 'delivered', 'default', 118, '018bcfe5-6800-7000-8000-000000000021', NULL, 1, '{"key":"editor","name":"","signal_id":"bcf4207f-10bd-8890-af86-60216dcc00ba","waitpoint_id":"b7d6c052-14c4-80d4-bb90-54baa297f88b","source_identity":"","effect":"buffered"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (139, '988', 1, 'completed', 'default', 161, 'ae61f511-0000-83ac-9b1c-faa745fcb0f5', NULL, 2, NULL, 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (141, '991', 1, 'failed', 'default', 161, 'ae61f511-0001-8c26-8855-c8ccae7f4945', NULL, 2, '{"code":"not_found"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (159, '1032', 2, 'budget_exceeded', 'default', 0, NULL, NULL, 0, '{"budget":"trial","dimension":"usd","used":5,"limit":5}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (160, '1033', 0, 'revoked', 'default', 221, '018bcfe5-6800-7000-8000-00000000002a', NULL, 2, '{"reason":"enough"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (161, '1033', 1, 'cancelled', 'default', 221, '018bcfe5-6800-7000-8000-00000000002a', NULL, 3, '{"reason":"enough","source":"operator_override"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (162, '1043', 2, 'priority_changed', 'default', 86, '018bcfe5-6800-7000-8000-00000000002d', NULL, 1, '{"old_priority":0,"new_priority":7}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (165, '1052', 0, 'retry_scheduled', 'default', 59, '018bcfe5-6800-7000-8000-000000000032', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700003838000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (109, '946', 3, 'resumed', 'default', 147, '018bcfe5-6800-7000-8000-000000000017', NULL, 3, '{"name":"wait","cause":"timeout"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (110, '946', 1, 'failed', 'default', 211, '018bcfe5-6800-7000-8000-000000000018', NULL, 3, '{"code":"wait_timeout"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (111, '949', 0, 'acquired', 'default', 220, '018bcfe5-6800-7000-8000-00000000001a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (114, '953', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-00000000001b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (115, '954', 0, 'suspended', 'default', 38, '018bcfe5-6800-7000-8000-00000000001b', NULL, 2, '{"names":["wait"],"keys":["vote"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (116, '955', 3, 'delivered', 'default', 38, '018bcfe5-6800-7000-8000-00000000001b', NULL, 3, '{"key":"vote","name":"","signal_id":"801e95c4-001d-8318-8da4-e08cec0cfacb","waitpoint_id":"c5ec335f-74ec-8eb0-b37c-634a47ff76fe","source_identity":"ann","effect":"counted"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (117, '956', 3, 'delivered', 'default', 38, '018bcfe5-6800-7000-8000-00000000001b', NULL, 4, '{"key":"vote","name":"","signal_id":"8e3c3e48-f015-83e3-a4dc-02e1071862a9","waitpoint_id":"c5ec335f-74ec-8eb0-b37c-634a47ff76fe","source_identity":"ann","effect":"buffered"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (118, '958', 0, 'acquired', 'default', 113, '018bcfe5-6800-7000-8000-00000000001c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (119, '959', 0, 'suspended', 'default', 113, '018bcfe5-6800-7000-8000-00000000001c', NULL, 2, '{"names":["wait"],"keys":[],"timeout_at_ms":1700003838000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (120, '961', 0, 'acquired', 'default', 230, '018bcfe5-6800-7000-8000-00000000001d', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (122, '964', 0, 'acquired', 'default', 75, '018bcfe5-6800-7000-8000-00000000001e', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (126, '968', 0, 'acquired', 'default', 104, '018bcfe5-6800-7000-8000-00000000001f', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (127, '969', 0, 'suspended', 'default', 104, '018bcfe5-6800-7000-8000-00000000001f', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (128, '970', 2, 'held', 'default', 104, '018bcfe5-6800-7000-8000-00000000001f', NULL, 3, '{"reason":"ask first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (129, '972', 0, 'acquired', 'default', 103, '018bcfe5-6800-7000-8000-000000000020', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (130, '973', 0, 'suspended', 'default', 103, '018bcfe5-6800-7000-8000-000000000020', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (131, '975', 2, 'waitpoint_closed', 'default', 103, '018bcfe5-6800-7000-8000-000000000020', NULL, 3, '{"key":"editor","waitpoint_id":"8b0dc052-7814-8089-8c1f-5e74666d06bb","reason":"the editor has left"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (133, '979', 0, 'acquired', 'default', 71, '018bcfe5-6800-7000-8000-000000000022', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (134, '982', 3, 'delivered', 'default', 71, '018bcfe5-6800-7000-8000-000000000022', NULL, 2, '{"key":"a","name":"","signal_id":"efd90080-2a2d-855a-aea4-5d26c4934fbc","waitpoint_id":"6b8b62a3-a64d-8a8f-bee3-b6fdcb08930d","source_identity":"","effect":"resumed"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (135, '982', 3, 'resumed', 'default', 71, '018bcfe5-6800-7000-8000-000000000022', NULL, 3, '{"name":"first","cause":"signal"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (136, '984', 0, 'acquired', 'default', 161, '018bcfe5-6800-7000-8000-000000000023', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (137, '986', 0, 'suspended', 'default', 161, '018bcfe5-6800-7000-8000-000000000023', NULL, 2, '{"names":["pages"],"keys":[],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (138, '987', 0, 'acquired', 'default', 161, 'ae61f511-0000-83ac-9b1c-faa745fcb0f5', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (140, '990', 0, 'acquired', 'default', 161, 'ae61f511-0001-8c26-8855-c8ccae7f4945', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (142, '992', 3, 'resumed', 'default', 161, '018bcfe5-6800-7000-8000-000000000023', NULL, 3, '{"name":"pages","cause":"children"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (143, '994', 0, 'acquired', 'default', 223, '018bcfe5-6800-7000-8000-000000000024', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (144, '999', 0, 'retry_scheduled', 'default', 223, '018bcfe5-6800-7000-8000-000000000024', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700000238000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (145, '1000', 0, 'acquired', 'default', 223, '018bcfe5-6800-7000-8000-000000000024', NULL, 3, '{"attempt_index":1,"lease_epoch":2,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (146, '1004', 0, 'acquired', 'default', 107, '018bcfe5-6800-7000-8000-000000000025', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (147, '1010', 1, 'completed', 'default', 107, '018bcfe5-6800-7000-8000-000000000025', NULL, 2, NULL, 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (148, '1011', 2, 'limit_set', 'default', 0, NULL, NULL, 0, '{"limit":"provider","concurrency":1,"rate":null,"per_ms":60000,"burst":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (149, '1012', 2, 'limit_set', 'default', 0, NULL, NULL, 0, '{"limit":"provider","key":"large","concurrency":3,"rate":null,"per_ms":60000,"burst":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (150, '1013', 2, 'limit_set', 'default', 0, NULL, NULL, 0, '{"limit":"calls","concurrency":null,"rate":1,"per_ms":3600000,"burst":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (151, '1014', 2, 'limit_paused', 'default', 0, NULL, NULL, 0, '{"limit":"calls","key":"","until_ms":1700000298000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (152, '1015', 2, 'budget_set', 'default', 0, NULL, NULL, 0, '{"budget":"company","limits":{"tokens":1000,"usd":100},"soft_limits":{"usd":50},"period":null,"timezone":null,"parent":null,"on_exceeded":"pause"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (153, '1016', 2, 'budget_set', 'default', 0, NULL, NULL, 0, '{"budget":"team","limits":{"usd":20},"soft_limits":{},"period":null,"timezone":null,"parent":"company","on_exceeded":"cancel"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (154, '1017', 2, 'budget_set', 'default', 0, NULL, NULL, 0, '{"budget":"trial","limits":{"usd":5},"soft_limits":{},"period":"month","timezone":"UTC","parent":null,"on_exceeded":"pause"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (155, '1018', 2, 'budget_charged', 'default', 0, NULL, NULL, 0, '{"budget":"company","amounts":{"usd":7},"reason":"carried over"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (156, '1020', 0, 'acquired', 'default', 114, '018bcfe5-6800-7000-8000-000000000026', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (157, '1028', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000029', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (158, '1031', 0, 'acquired', 'default', 221, '018bcfe5-6800-7000-8000-00000000002a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (163, '1049', 2, 'held', 'default', 239, '018bcfe5-6800-7000-8000-000000000031', NULL, 1, '{"reason":"ask first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (164, '1051', 0, 'acquired', 'default', 59, '018bcfe5-6800-7000-8000-000000000032', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (166, '1054', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8000-000000000033', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (167, '1059', 0, 'acquired', 'default', 7, '018bcfe5-6800-7000-8000-000000000034', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);


--
-- Data for Name: ff_exec_core; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_exec_core VALUES (163, '018bcfe5-6800-7000-8000-000000000007', 'default', 'lost', NULL, 'mail', 0, '{"max_interruptions":0}', NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 2, 0, 1, 0, 3, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000234000, NULL, NULL, NULL, NULL, 'worker_lost', 'interrupted once; the policy allows 0', NULL, NULL, 0, '1.871ff2d8d023', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (123, '018bcfe5-6800-7000-8000-000000000006', 'default', 'timed-out', NULL, 'mail', 0, '{"attempt_timeout_ms":1000}', NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 2, 0, 0, 0, 2, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000234000, NULL, NULL, NULL, NULL, 'attempt_timeout', 'the attempt ran longer than 1000 ms', NULL, NULL, 0, '1.cf4aac8ed47c', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (32, '018bcfe6-eea0-7643-9758-4c28ba83a61e', 'default', 'reports', NULL, 'report', 0, NULL, NULL, 1700000202000, '{"schedule.name":"often","schedule.slot":"2023-11-14T22:15:00.000Z"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (32, '018bcfe7-d900-765f-8002-33b1d051c5b2', 'default', 'reports', NULL, 'report', 0, NULL, NULL, 1700000202000, '{"schedule.name":"often","schedule.slot":"2023-11-14T22:16:00.000Z"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (194, '018bcfe5-6800-7000-8000-000000000002', 'default', 'completed', NULL, 'mail', 0, NULL, 'order-1', 1700000202000, '{"order.id":"1","team.name":"ü\n{}"}', 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000202000, 'worker-1', 'worker-1/a', NULL, NULL, 1700000202000, 1700000202000, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.bf1f3629499e', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 'default', 'failed', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000202000, NULL, 3, 8, 5, 2, 8, 0, 2, 3, 2, 0, 0, 6, 1700000214000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000222000, NULL, NULL, NULL, NULL, 'smtp_down', 'no answer', NULL, NULL, 0, '3.8e7e7bf3f0a4', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (235, '018bcfe5-6800-7000-8000-000000000003', 'default', 'completed-without-a-result', NULL, 'mail', 0, '{"retention_ms":2592000000}', NULL, 1700000202000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000202000, 'worker-1', 'worker-1/a', NULL, NULL, 1700000202000, 1700000202000, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.7d1f5c995f42', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (2, '018bcfe5-6800-7000-8000-00000000000d', 'default', 'put-off', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 1, 2, 0, 1, 0, 0, 1, 0, 0, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, 1700003834000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.42131a700967', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (78, '018bcfe5-6800-7000-8000-00000000000a', 'default', 'cancelled-while-it-ran', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, 1700000234000, NULL, NULL, 'stop', 'application', NULL, NULL, NULL, NULL, 0, '1.4b4c00653b2c', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (160, '018bcfe5-6800-7000-8000-000000000005', 'default', 'failed-for-good-at-once', NULL, 'mail', 0, NULL, NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000232000, NULL, NULL, NULL, NULL, 'bad_address', '', NULL, NULL, 0, '1.a8a764e9af56', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (69, '018bcfe5-6800-7000-8000-00000000000b', 'default', 'completed-twice', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 3, 8, 5, 1, 7, 0, 0, 3, 0, 0, 1, 5, 1700000234000, 'worker-1', 'worker-1/a', NULL, NULL, 1700000234000, 1700000234000, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '3.7e50410dec10', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (164, '018bcfe5-6800-7000-8000-00000000000c', 'default', 'released', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.b0c3e012baad', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8000-00000000000f', 'default', 'interrupted', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.0a1059c86bd5', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (195, '018bcfe5-6800-7000-8000-00000000000e', 'default', 'revoked', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.70424631107a', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-8000-000000000010', 'default', 'replayed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 1, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.2b5ad47319a0', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (213, '018bcfe5-6800-7000-8000-000000000008', 'default', 'expired', NULL, 'mail', 0, NULL, NULL, 1700000232000, NULL, 3, 8, 5, 4, 10, 0, 0, 0, 0, 0, 0, 1, 1700000232000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, 1700000233000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (252, '018bcfe5-6800-7000-8000-000000000009', 'default', 'cancelled', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, 'not wanted', 'operator_override', NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000002', 'default', 'quorum-b', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000003', 'default', 'quorum-c', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'c', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000004', 'default', 'quorum-d', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'd', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000001', 'default', 'quorum-a', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.aca86774aff6', 8614506831701152279, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000001', 'default', 'quorum-let-run-a', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.0cde14165e4e', 8614506831701152279, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000002', 'default', 'quorum-let-run-b', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.5cb883548f87', 8614506831701152279, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000004', 'default', 'quorum-let-run-d', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'd', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000003', 'default', 'quorum-let-run-c', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.a87ecdba6449', 8614506831701152279, 'c', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8000-000000000011', 'default', 'held-and-let-go', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000002', 'default', 'all-of-b', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000003', 'default', 'all-of-c', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'c', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000004', 'default', 'all-of-d', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'd', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000002', 'default', 'any-of-b', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000003', 'default', 'any-of-c', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'c', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000004', 'default', 'any-of-d', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'd', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000001', 'default', 'any-of-let-run-a', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000003', 'default', 'any-of-let-run-c', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'c', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000001', 'default', 'all-of-a', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.6c3eb120999d', 8614506831701152279, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000001', 'default', 'any-of-a', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, 'boom', '', NULL, NULL, 0, '1.058530ecf302', 8614506831701152279, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000002', 'default', 'any-of-let-run-b', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.72a1643bb1bd', 8614506831701152279, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000004', 'default', 'any-of-let-run-d', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'd', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8006-000000000001', 'default', 'completed-flow-a', '018bcfe5-6800-7000-80ff-000000000006', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.0639a8a4e075', 8614506831701152279, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8006-000000000002', 'default', 'completed-flow-b', '018bcfe5-6800-7000-80ff-000000000006', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.5400ea9f9bf3', 8614506831701152279, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (242, '018bcfe5-6800-7000-8007-000000000002', 'default', 'failed-flow-b', '018bcfe5-6800-7000-80ff-000000000007', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 5, 11, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (242, '018bcfe5-6800-7000-8007-000000000001', 'default', 'failed-flow-a', '018bcfe5-6800-7000-80ff-000000000007', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, 'boom', '', NULL, NULL, 0, '1.a78357b494c3', 8614506831701152279, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (63, '018bcfe5-6800-7000-8000-000000000014', 'tenant-a', 'of-a-tenant', NULL, 'mail', 0, NULL, NULL, 1700000236000, '{"team.name":"a"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (232, '018bcfe5-6800-7000-8000-000000000015', 'default', 'waiting-for-an-editor', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.64d4712efaaa', 8614506831701152279, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000236000,"reason":"an editor reads it","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000236000}}', 1700000236000, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-800b-000000000002', 'default', 'flow-only-b', '018bcfe5-6800-7000-80ff-00000000000b', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (29, '018bcfe5-6800-7000-8008-000000000002', 'default', 'reopened-flow-b', '018bcfe5-6800-7000-80ff-000000000008', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 5, 11, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (29, '018bcfe5-6800-7000-8008-000000000001', 'default', 'reopened-flow-a', '018bcfe5-6800-7000-80ff-000000000008', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 1, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.9dd4ead4802a', 8614506831701152279, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (60, '018bcfe5-6800-7000-8009-000000000001', 'default', 'cancelled-flow-a', '018bcfe5-6800-7000-80ff-000000000009', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, '1.b2e71658426f', 8614506831701152279, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (60, '018bcfe5-6800-7000-8009-000000000002', 'default', 'cancelled-flow-b', '018bcfe5-6800-7000-80ff-000000000009', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (95, '018bcfe5-6800-7000-800a-000000000001', 'default', 'cancelled-pending-a', '018bcfe5-6800-7000-80ff-00000000000a', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.7e95ce4b4b03', 8614506831701152279, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (95, '018bcfe5-6800-7000-800a-000000000002', 'default', 'cancelled-pending-b', '018bcfe5-6800-7000-80ff-00000000000a', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-800b-000000000001', 'default', 'flow-only-a', '018bcfe5-6800-7000-80ff-00000000000b', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.c991446bc796', 8614506831701152279, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (208, '018bcfe5-6800-7000-8063-000000000001', 'default', 'by-hand-a', '018bcfe5-6800-7000-80ff-000000000063', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (208, '018bcfe5-6800-7000-8063-000000000002', 'default', 'by-hand-b', '018bcfe5-6800-7000-80ff-000000000063', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (132, '018bcfe5-6800-7000-8000-000000000012', 'default', 'paused', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (56, '018bcfe5-6800-7000-8000-000000000013', 'default', 'resumed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (81, '018bcfe5-6800-7000-8000-000000000016', 'default', 'completed-after-a-wait', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 2, 0, 0, 0, 7, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '2.eea6daf70b74', 8614506831701152279, NULL, NULL, '{"signals":2}', NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (147, '018bcfe5-6800-7000-8000-000000000017', 'default', 'resumed-by-its-timeout', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 7, 0, 6, 0, 0, 1, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.af5be299a671', 8614506831701152279, NULL, NULL, '{"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000236000}}', NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (38, '018bcfe5-6800-7000-8000-00000000001b', 'default', 'waiting-for-votes', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 4, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.957bbf080511', 8614506831701152279, NULL, NULL, '{"signals":2,"waits":[{"name":"wait","condition":"{\"at_least\":2,\"of\":[\"vote\"],\"distinct\":\"sources\"}","since_ms":1700000238000,"reason":"waiting_for_signal","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', 1700000238000, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8000-000000000018', 'default', 'failed-by-the-timeout-of-a-wait', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000238000, NULL, NULL, NULL, NULL, 'wait_timeout', 'nothing ended the wait ''wait'' in time', NULL, NULL, 0, '1.4fbe611a29c8', 8614506831701152279, NULL, NULL, '{}', NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (20, '018bcfe5-6800-7000-8000-000000000019', 'default', 'escalated', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.7b1c7b17bd73', 8614506831701152279, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000236000,"on_timeout":"escalate","reason":"waiting_for_signal","is_escalated":true,"lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000236000}}', 1700000236000, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (113, '018bcfe5-6800-7000-8000-00000000001c', 'default', 'sleeping', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.511002163ff5', 8614506831701152279, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"operator_only\":true}","since_ms":1700000238000,"timeout_at_ms":1700003838000,"reason":"sleeping","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', 1700000238000, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (104, '018bcfe5-6800-7000-8000-00000000001f', 'default', 'suspended-and-held', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.a5b71f510703', 8614506831701152279, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000238000,"reason":"waiting_for_signal","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000},"held":true}', 1700000238000, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (220, '018bcfe5-6800-7000-8000-00000000001a', 'default', 'cancelled-while-it-waited', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 4, 8, 6, 3, 9, 0, 0, 1, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, 1700000238000, NULL, NULL, 'not wanted', 'operator_override', NULL, NULL, NULL, NULL, 0, '1.377554cbf886', 8614506831701152279, NULL, NULL, '{}', NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (230, '018bcfe5-6800-7000-8000-00000000001d', 'default', 'waiting-with-a-timeout', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.9afc93b91777', 8614506831701152279, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000238000,"timeout_at_ms":1702592238000,"on_timeout":"cancel","reason":"waiting_for_signal","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', 1700000238000, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (75, '018bcfe5-6800-7000-8000-00000000001e', 'default', 'resumable', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 7, 0, 6, 0, 0, 1, 0, 0, 0, 4, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.ebe5ef798ea6', 8614506831701152279, NULL, NULL, '{"signals":1,"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8000-000000000021', 'default', 'signalled-before-it-waits', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, '{"signals":1}', NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (40, '018bcfe5-6800-7000-8000-000000000028', 'default', 'behind-a-limit,-in-another-turn', NULL, 'mail', 1, NULL, NULL, 1700000238000, NULL, 0, 4, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, '{"limits":[["provider","small"]],"budgets":[["team",{"usd":2}]],"fair_key":"b","turn":1,"parked":["limit","provider","small"]}', 1, NULL);
INSERT INTO public.ff_exec_core VALUES (103, '018bcfe5-6800-7000-8000-000000000020', 'default', 'waiting-at-a-closed-waitpoint', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.3dd022afdb02', 8614506831701152279, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000238000,"reason":"waiting_for_signal","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', 1700000238000, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (161, 'ae61f511-0001-8c26-8855-c8ccae7f4945', 'default', 'child-1', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, 'not_found', '', NULL, NULL, 0, '1.647bac103d86', 8614506831701152279, NULL, NULL, NULL, NULL, '018bcfe5-6800-7000-8000-000000000023', '{"group":"pages","index":1,"life":0,"depth":1}', NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (161, '018bcfe5-6800-7000-8000-000000000023', 'default', 'parent', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 7, 0, 6, 0, 0, 1, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.965efd8a7092', 8614506831701152279, NULL, NULL, '{"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000},"children":3,"groups":[{"name":"pages","total":3,"kinds":"c6f6325f4b108367","succeeded":1,"failed":1}]}', NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (161, 'ae61f511-0000-83ac-9b1c-faa745fcb0f5', 'default', 'child-0', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.4e2d0009677c', 8614506831701152279, NULL, NULL, NULL, NULL, '018bcfe5-6800-7000-8000-000000000023', '{"group":"pages","index":0,"life":0,"depth":1}', NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (71, '018bcfe5-6800-7000-8000-000000000022', 'default', 'lingering', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 3, 1700000238000, 'worker-1', 'worker-1/a', 3600000, 1700003838000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.d4e83ada2505', 8614506831701152279, NULL, NULL, '{"signals":1,"waits":[{"name":"second","condition":"{\"on\":\"b\"}","since_ms":1700000238000,"reason":"waiting_for_signal","lease_epoch":1}],"unanswered":["first"]}', NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (161, 'ae61f511-0002-8c83-9a73-9f63983ab060', 'default', 'child-2', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, '018bcfe5-6800-7000-8000-000000000023', '{"group":"pages","index":2,"life":0,"depth":1}', NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (223, '018bcfe5-6800-7000-8000-000000000024', 'default', 'speaking', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 1, 2, 1, 0, 0, 3, 1700000238000, 'worker-1', 'worker-1/a', 3600000, 1700003838000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, 'smtp_down', '', NULL, NULL, 0, '2.4727a3b284b2', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (239, '018bcfe5-6800-7000-8000-000000000031', 'default', 'held', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (107, '018bcfe5-6800-7000-8000-000000000025', 'default', 'fell-silent', NULL, 'mail', 0, '{"stream_max_frames":3}', NULL, 1700000238000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000238000, 'worker-1', 'worker-1/a', NULL, NULL, 1700000238000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.f114c6399f81', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (227, '018bcfe5-6800-7000-8000-000000000035', 'default', 'delayed-and-due', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000239000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (44, '018bcfe5-6800-7000-8000-000000000036', 'default', 'past-its-deadline', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000239000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (114, '018bcfe5-6800-7000-8000-000000000026', 'default', 'under-a-limit', NULL, 'mail', 1, NULL, NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000238000, 'worker-1', 'worker-1/a', 3600000, 1700003838000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.c3994785402b', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, '{"limits":[["provider","small"]],"budgets":[["team",{"usd":2}]],"fair_key":"a","turn":1,"reservations":[{"budget":"team","chain":[["team",0],["company",0]],"amounts":{"usd":4}}],"has_spent":true}', 1, NULL);
INSERT INTO public.ff_exec_core VALUES (56, '018bcfe5-6800-7000-8000-000000000027', 'default', 'behind-a-limit', NULL, 'mail', 1, NULL, NULL, 1700000238000, NULL, 0, 4, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, '{"limits":[["provider","small"]],"budgets":[["team",{"usd":2}]],"fair_key":"a","turn":1,"parked":["limit","provider","small"]}', 1, NULL);
INSERT INTO public.ff_exec_core VALUES (38, '018bcfe5-6800-7000-8000-000000000029', 'default', 'in-a-block', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000238000, 'worker-1', 'worker-1/a', 3600000, 1700003838000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.c93e991c2634', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, '{"blocks":[["provider","large",1]]}', 0, NULL);
INSERT INTO public.ff_exec_core VALUES (221, '018bcfe5-6800-7000-8000-00000000002a', 'default', 'spender', NULL, 'mail', 2, NULL, NULL, 1700000238000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, 1700000238000, NULL, NULL, 'enough', 'operator_override', NULL, NULL, NULL, NULL, 0, '1.e2ae404c56fd', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, '{"budgets":[["trial",{}]],"has_spent":true}', 0, NULL);
INSERT INTO public.ff_exec_core VALUES (157, '018bcfe5-6800-7000-8000-00000000002b', 'default', 'behind-a-budget', NULL, 'mail', 2, NULL, NULL, 1700000238000, NULL, 0, 3, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, '{"budgets":[["trial",{}]],"parked":["budget","trial",""]}', 0, NULL);
INSERT INTO public.ff_exec_core VALUES (224, '018bcfe5-6800-7000-8000-00000000002c', 'default', 'behind-a-pause', NULL, 'mail', 2, NULL, NULL, 1700000238000, NULL, 0, 4, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, '{"limits":[["calls",""]],"parked":["limit","calls",""]}', 0, NULL);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-00000000002d', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000238000, '{"order.id":"2"}', 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 1, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-0000000003e7', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-00000000002e', 'default', 'default', NULL, 'mail', 3, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-00000000002f', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700086638000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (48, '018bcfe5-6800-7000-8000-000000000030', 'default', 'delayed', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700003838000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (59, '018bcfe5-6800-7000-8000-000000000032', 'default', 'waiting-for-its-retry', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000238000, NULL, 0, 1, 3, 0, 1, 0, 0, 1, 1, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, 1700003838000, NULL, NULL, NULL, 'smtp_down', '', NULL, NULL, 0, '1.e52c267f203d', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8000-000000000033', 'default', 'active', NULL, 'print', 0, '{"attempt_timeout_ms":7200000}', NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000238000, 'worker-1', 'worker-1/a', 3600000, 1700003838000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 40, 'half way', 0, '1.780e6fee0355', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO public.ff_exec_core VALUES (7, '018bcfe5-6800-7000-8000-000000000034', 'default', 'active-with-an-expired-lease', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000238000, 'worker-1', 'worker-1/a', 1000, 1700000239000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.3a86c213bbc2', 8614506831701152279, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL);


--
-- Data for Name: ff_failure; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_failure VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 0, 1, 'smtp_down', 'no answer', NULL);
INSERT INTO public.ff_failure VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 1, 2, 'smtp_down', 'no answer', NULL);
INSERT INTO public.ff_failure VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 2, 3, 'smtp_down', 'no answer', NULL);
INSERT INTO public.ff_failure VALUES (160, '018bcfe5-6800-7000-8000-000000000005', 0, 1, 'bad_address', '', NULL);
INSERT INTO public.ff_failure VALUES (123, '018bcfe5-6800-7000-8000-000000000006', 0, 1, 'attempt_timeout', 'the attempt ran longer than 1000 ms', NULL);
INSERT INTO public.ff_failure VALUES (87, '018bcfe5-6800-7000-8002-000000000001', 0, 1, 'boom', '', NULL);
INSERT INTO public.ff_failure VALUES (242, '018bcfe5-6800-7000-8007-000000000001', 0, 1, 'boom', '', NULL);
INSERT INTO public.ff_failure VALUES (29, '018bcfe5-6800-7000-8008-000000000001', 0, 1, 'boom', '', NULL);
INSERT INTO public.ff_failure VALUES (211, '018bcfe5-6800-7000-8000-000000000018', 0, 1, 'wait_timeout', 'nothing ended the wait ''wait'' in time', NULL);
INSERT INTO public.ff_failure VALUES (161, 'ae61f511-0001-8c26-8855-c8ccae7f4945', 0, 1, 'not_found', '', NULL);
INSERT INTO public.ff_failure VALUES (223, '018bcfe5-6800-7000-8000-000000000024', 0, 1, 'smtp_down', '', NULL);
INSERT INTO public.ff_failure VALUES (59, '018bcfe5-6800-7000-8000-000000000032', 0, 1, 'smtp_down', '', NULL);


--
-- Data for Name: ff_flow_cancel; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_flow_cancel VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', '["018bcfe5-6800-7000-8009-000000000001","018bcfe5-6800-7000-8009-000000000002"]');
INSERT INTO public.ff_flow_cancel VALUES (95, '018bcfe5-6800-7000-80ff-00000000000a', '["018bcfe5-6800-7000-800a-000000000002"]');
INSERT INTO public.ff_flow_cancel VALUES (126, '018bcfe5-6800-7000-80ff-00000000000b', '[]');


--
-- Data for Name: ff_flow_core; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_flow_core VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', 'default', 'all-of', 1700000236000, '{"order.id":"1"}', 1, 1, 4, 3, 3, 0, 0, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (29, '018bcfe5-6800-7000-80ff-000000000008', 'default', 'reopened-flow', 1700000236000, '{"order.id":"8"}', 1, 1, 2, 1, 1, 1, 2, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', 'default', 'any-of', 1700000236000, '{"order.id":"2"}', 1, 1, 4, 3, 3, 0, 0, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', 'default', 'any-of-let-run', 1700000236000, '{"order.id":"3"}', 1, 1, 4, 3, 3, 0, 0, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', 'default', 'cancelled-flow', 1700000236000, '{"order.id":"9"}', 4, 1, 2, 1, 0, 1, 2, NULL, 1700000236000, 1700000236000, 1700000236000, 'enough', 0, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', 'default', 'quorum', 1700000236000, '{"order.id":"4"}', 1, 1, 4, 3, 3, 0, 0, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (95, '018bcfe5-6800-7000-80ff-00000000000a', 'default', 'cancelled-pending', 1700000236000, '{"order.id":"10"}', 4, 1, 2, 1, 1, 1, 2, NULL, 1700000236000, 1700000236000, NULL, 'enough', 1, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', 'default', 'quorum-let-run', 1700000236000, '{"order.id":"5"}', 1, 1, 4, 3, 2, 0, 0, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (126, '018bcfe5-6800-7000-80ff-00000000000b', 'default', 'flow-only', 1700000236000, '{"order.id":"11"}', 4, 1, 2, 1, 2, 0, 2, NULL, 1700000236000, 1700000236000, NULL, 'enough', 2, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (211, '018bcfe5-6800-7000-80ff-000000000006', 'default', 'completed-flow', 1700000236000, '{"order.id":"6"}', 2, 1, 2, 1, 0, 0, 1, NULL, 1700000236000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (242, '018bcfe5-6800-7000-80ff-000000000007', 'default', 'failed-flow', 1700000236000, '{"order.id":"7"}', 3, 1, 2, 1, 0, 1, 1, NULL, 1700000236000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (208, '018bcfe5-6800-7000-80ff-000000000063', 'default', 'by-hand', 1700000236000, '{"team.name":"a"}', 0, 3, 2, 1, 2, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: ff_idempotency; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_idempotency VALUES (94, 'default', 'order-1', 194, '018bcfe5-6800-7000-8000-000000000002', '\xb1d8474ae82036fec13d013485a8c01f', 1700086602000);


--
-- Data for Name: ff_key_ring; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_key_ring VALUES ('waitpoints', '[{"kid":"first","secret":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=","valid_until_ms":1700605036000},{"kid":"second","secret":"AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=","valid_until_ms":null}]');


--
-- Data for Name: ff_key_turn; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_key_turn VALUES ('default', 'under-a-limit', 0, 'a', 1, 1700000238000);
INSERT INTO public.ff_key_turn VALUES ('default', 'behind-a-limit', 0, 'a', 1, 1700000238000);
INSERT INTO public.ff_key_turn VALUES ('default', 'behind-a-limit,-in-another-turn', 0, 'b', 1, 1700000238000);


--
-- Data for Name: ff_lane; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_lane VALUES ('default', 'paused', 1700000236000, 'provider is down', 1);
INSERT INTO public.ff_lane VALUES ('default', 'resumed', NULL, '', 2);
INSERT INTO public.ff_lane VALUES ('tenant-a', 'default', 1700000236000, '', 1);


--
-- Data for Name: ff_lane_turn; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_lane_turn VALUES ('default', 'under-a-limit', 0, 1);


--
-- Data for Name: ff_lease_sheet; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_lease_sheet VALUES (1700000242000, '{38}', '{018bcfe5-6800-7000-8000-000000000004}');
INSERT INTO public.ff_lease_sheet VALUES (1700000252000, '{38}', '{018bcfe5-6800-7000-8000-000000000004}');
INSERT INTO public.ff_lease_sheet VALUES (1700000262000, '{160}', '{018bcfe5-6800-7000-8000-000000000005}');
INSERT INTO public.ff_lease_sheet VALUES (1700000264000, '{78}', '{018bcfe5-6800-7000-8000-00000000000a}');
INSERT INTO public.ff_lease_sheet VALUES (1700000264000, '{69}', '{018bcfe5-6800-7000-8000-00000000000b}');
INSERT INTO public.ff_lease_sheet VALUES (1700000264000, '{69}', '{018bcfe5-6800-7000-8000-00000000000b}');
INSERT INTO public.ff_lease_sheet VALUES (1700000264000, '{164}', '{018bcfe5-6800-7000-8000-00000000000c}');
INSERT INTO public.ff_lease_sheet VALUES (1700000264000, '{2}', '{018bcfe5-6800-7000-8000-00000000000d}');
INSERT INTO public.ff_lease_sheet VALUES (1700000264000, '{195}', '{018bcfe5-6800-7000-8000-00000000000e}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{126}', '{018bcfe5-6800-7000-8000-000000000010}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{52}', '{018bcfe5-6800-7000-8001-000000000001}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{87}', '{018bcfe5-6800-7000-8002-000000000001}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{118}', '{018bcfe5-6800-7000-8003-000000000002}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{145}', '{018bcfe5-6800-7000-8004-000000000001}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{176}', '{018bcfe5-6800-7000-8005-000000000001}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{176}', '{018bcfe5-6800-7000-8005-000000000002}');
INSERT INTO public.ff_lease_sheet VALUES (1700003836000, '{176}', '{018bcfe5-6800-7000-8005-000000000003}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{211}', '{018bcfe5-6800-7000-8006-000000000001}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{211}', '{018bcfe5-6800-7000-8006-000000000002}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{242}', '{018bcfe5-6800-7000-8007-000000000001}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{29}', '{018bcfe5-6800-7000-8008-000000000001}');
INSERT INTO public.ff_lease_sheet VALUES (1700003836000, '{60}', '{018bcfe5-6800-7000-8009-000000000001}');
INSERT INTO public.ff_lease_sheet VALUES (1700003836000, '{95}', '{018bcfe5-6800-7000-800a-000000000001}');
INSERT INTO public.ff_lease_sheet VALUES (1700003836000, '{126}', '{018bcfe5-6800-7000-800b-000000000001}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{232}', '{018bcfe5-6800-7000-8000-000000000015}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{81}', '{018bcfe5-6800-7000-8000-000000000016}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{81}', '{018bcfe5-6800-7000-8000-000000000016}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{147}', '{018bcfe5-6800-7000-8000-000000000017}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{211}', '{018bcfe5-6800-7000-8000-000000000018}');
INSERT INTO public.ff_lease_sheet VALUES (1700000266000, '{20}', '{018bcfe5-6800-7000-8000-000000000019}');
INSERT INTO public.ff_lease_sheet VALUES (1700000268000, '{220}', '{018bcfe5-6800-7000-8000-00000000001a}');
INSERT INTO public.ff_lease_sheet VALUES (1700000268000, '{38}', '{018bcfe5-6800-7000-8000-00000000001b}');
INSERT INTO public.ff_lease_sheet VALUES (1700000268000, '{113}', '{018bcfe5-6800-7000-8000-00000000001c}');
INSERT INTO public.ff_lease_sheet VALUES (1700000268000, '{230}', '{018bcfe5-6800-7000-8000-00000000001d}');
INSERT INTO public.ff_lease_sheet VALUES (1700000268000, '{75}', '{018bcfe5-6800-7000-8000-00000000001e}');
INSERT INTO public.ff_lease_sheet VALUES (1700000268000, '{104}', '{018bcfe5-6800-7000-8000-00000000001f}');
INSERT INTO public.ff_lease_sheet VALUES (1700000268000, '{103}', '{018bcfe5-6800-7000-8000-000000000020}');
INSERT INTO public.ff_lease_sheet VALUES (1700003838000, '{71}', '{018bcfe5-6800-7000-8000-000000000022}');
INSERT INTO public.ff_lease_sheet VALUES (1700000268000, '{161}', '{018bcfe5-6800-7000-8000-000000000023}');
INSERT INTO public.ff_lease_sheet VALUES (1700000268000, '{161}', '{ae61f511-0000-83ac-9b1c-faa745fcb0f5}');
INSERT INTO public.ff_lease_sheet VALUES (1700000268000, '{161}', '{ae61f511-0001-8c26-8855-c8ccae7f4945}');
INSERT INTO public.ff_lease_sheet VALUES (1700000268000, '{223}', '{018bcfe5-6800-7000-8000-000000000024}');
INSERT INTO public.ff_lease_sheet VALUES (1700003838000, '{223}', '{018bcfe5-6800-7000-8000-000000000024}');
INSERT INTO public.ff_lease_sheet VALUES (1700000268000, '{107}', '{018bcfe5-6800-7000-8000-000000000025}');
INSERT INTO public.ff_lease_sheet VALUES (1700003838000, '{114}', '{018bcfe5-6800-7000-8000-000000000026}');
INSERT INTO public.ff_lease_sheet VALUES (1700003838000, '{38}', '{018bcfe5-6800-7000-8000-000000000029}');
INSERT INTO public.ff_lease_sheet VALUES (1700000268000, '{221}', '{018bcfe5-6800-7000-8000-00000000002a}');
INSERT INTO public.ff_lease_sheet VALUES (1700000268000, '{59}', '{018bcfe5-6800-7000-8000-000000000032}');
INSERT INTO public.ff_lease_sheet VALUES (1700003838000, '{52}', '{018bcfe5-6800-7000-8000-000000000033}');
INSERT INTO public.ff_lease_sheet VALUES (1700000239000, '{7}', '{018bcfe5-6800-7000-8000-000000000034}');


--
-- Data for Name: ff_ledger; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_ledger VALUES (114, '018bcfe5-6800-7000-8000-000000000026', 'default', 'company', 0, 1699920000000, '{"usd":3}');
INSERT INTO public.ff_ledger VALUES (114, '018bcfe5-6800-7000-8000-000000000026', 'default', 'team', 0, 1699920000000, '{"usd":3}');
INSERT INTO public.ff_ledger VALUES (221, '018bcfe5-6800-7000-8000-00000000002a', 'default', 'trial', 1698796800000, 1699920000000, '{"usd":5}');


--
-- Data for Name: ff_limit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_limit VALUES ('default', 'provider', 1, NULL, 60000, NULL);
INSERT INTO public.ff_limit VALUES ('default', 'calls', NULL, 1, 3600000, NULL);


--
-- Data for Name: ff_limit_key; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_limit_key VALUES ('default', 'calls', '', 0, 0, 1700000298000, 1700000298000);
INSERT INTO public.ff_limit_key VALUES ('default', 'provider', 'small', 1, 0, 0, NULL);
INSERT INTO public.ff_limit_key VALUES ('default', 'provider', 'large', 1, 0, 0, NULL);


--
-- Data for Name: ff_limit_override; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_limit_override VALUES ('default', 'provider', 'large', 3, NULL, 60000, NULL);


--
-- Data for Name: ff_meta; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_meta VALUES ('store', 'postgres-062b3d9720ac-60e4f6');
INSERT INTO public.ff_meta VALUES ('purged', '790:789:2');


--
-- Data for Name: ff_opening; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_opening VALUES ('default', 0, 'calls', '', 1700000298000);
INSERT INTO public.ff_opening VALUES ('default', 1, 'trial', '', 1701388800000);


--
-- Data for Name: ff_payload; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_payload VALUES (32, '018bcfe6-eea0-7643-9758-4c28ba83a61e', '\x6f6674656e');
INSERT INTO public.ff_payload VALUES (32, '018bcfe7-d900-765f-8002-33b1d051c5b2', '\x6f6674656e');
INSERT INTO public.ff_payload VALUES (194, '018bcfe5-6800-7000-8000-000000000002', '\x636f6d706c65746564');
INSERT INTO public.ff_payload VALUES (235, '018bcfe5-6800-7000-8000-000000000003', '\x636f6d706c6574656420776974686f7574206120726573756c74');
INSERT INTO public.ff_payload VALUES (38, '018bcfe5-6800-7000-8000-000000000004', '\x6661696c6564');
INSERT INTO public.ff_payload VALUES (160, '018bcfe5-6800-7000-8000-000000000005', '\x6661696c656420666f7220676f6f64206174206f6e6365');
INSERT INTO public.ff_payload VALUES (123, '018bcfe5-6800-7000-8000-000000000006', '\x74696d6564206f7574');
INSERT INTO public.ff_payload VALUES (163, '018bcfe5-6800-7000-8000-000000000007', '\x6c6f7374');
INSERT INTO public.ff_payload VALUES (213, '018bcfe5-6800-7000-8000-000000000008', '\x65787069726564');
INSERT INTO public.ff_payload VALUES (252, '018bcfe5-6800-7000-8000-000000000009', '\x63616e63656c6c6564');
INSERT INTO public.ff_payload VALUES (78, '018bcfe5-6800-7000-8000-00000000000a', '\x63616e63656c6c6564207768696c652069742072616e');
INSERT INTO public.ff_payload VALUES (69, '018bcfe5-6800-7000-8000-00000000000b', '\x636f6d706c65746564207477696365');
INSERT INTO public.ff_payload VALUES (164, '018bcfe5-6800-7000-8000-00000000000c', '\x72656c6561736564');
INSERT INTO public.ff_payload VALUES (2, '018bcfe5-6800-7000-8000-00000000000d', '\x707574206f6666');
INSERT INTO public.ff_payload VALUES (195, '018bcfe5-6800-7000-8000-00000000000e', '\x7265766f6b6564');
INSERT INTO public.ff_payload VALUES (118, '018bcfe5-6800-7000-8000-00000000000f', '\x696e746572727570746564');
INSERT INTO public.ff_payload VALUES (126, '018bcfe5-6800-7000-8000-000000000010', '\x7265706c61796564');
INSERT INTO public.ff_payload VALUES (211, '018bcfe5-6800-7000-8000-000000000011', '\x68656c6420616e64206c657420676f');
INSERT INTO public.ff_payload VALUES (52, '018bcfe5-6800-7000-8001-000000000001', '\x616c6c206f662f61');
INSERT INTO public.ff_payload VALUES (52, '018bcfe5-6800-7000-8001-000000000002', '\x616c6c206f662f62');
INSERT INTO public.ff_payload VALUES (52, '018bcfe5-6800-7000-8001-000000000003', '\x616c6c206f662f63');
INSERT INTO public.ff_payload VALUES (52, '018bcfe5-6800-7000-8001-000000000004', '\x616c6c206f662f64');
INSERT INTO public.ff_payload VALUES (87, '018bcfe5-6800-7000-8002-000000000001', '\x616e79206f662f61');
INSERT INTO public.ff_payload VALUES (87, '018bcfe5-6800-7000-8002-000000000002', '\x616e79206f662f62');
INSERT INTO public.ff_payload VALUES (87, '018bcfe5-6800-7000-8002-000000000003', '\x616e79206f662f63');
INSERT INTO public.ff_payload VALUES (87, '018bcfe5-6800-7000-8002-000000000004', '\x616e79206f662f64');
INSERT INTO public.ff_payload VALUES (118, '018bcfe5-6800-7000-8003-000000000001', '\x616e79206f66206c65742072756e2f61');
INSERT INTO public.ff_payload VALUES (118, '018bcfe5-6800-7000-8003-000000000002', '\x616e79206f66206c65742072756e2f62');
INSERT INTO public.ff_payload VALUES (118, '018bcfe5-6800-7000-8003-000000000003', '\x616e79206f66206c65742072756e2f63');
INSERT INTO public.ff_payload VALUES (118, '018bcfe5-6800-7000-8003-000000000004', '\x616e79206f66206c65742072756e2f64');
INSERT INTO public.ff_payload VALUES (145, '018bcfe5-6800-7000-8004-000000000001', '\x71756f72756d2f61');
INSERT INTO public.ff_payload VALUES (145, '018bcfe5-6800-7000-8004-000000000002', '\x71756f72756d2f62');
INSERT INTO public.ff_payload VALUES (145, '018bcfe5-6800-7000-8004-000000000003', '\x71756f72756d2f63');
INSERT INTO public.ff_payload VALUES (145, '018bcfe5-6800-7000-8004-000000000004', '\x71756f72756d2f64');
INSERT INTO public.ff_payload VALUES (176, '018bcfe5-6800-7000-8005-000000000001', '\x71756f72756d206c65742072756e2f61');
INSERT INTO public.ff_payload VALUES (176, '018bcfe5-6800-7000-8005-000000000002', '\x71756f72756d206c65742072756e2f62');
INSERT INTO public.ff_payload VALUES (176, '018bcfe5-6800-7000-8005-000000000003', '\x71756f72756d206c65742072756e2f63');
INSERT INTO public.ff_payload VALUES (176, '018bcfe5-6800-7000-8005-000000000004', '\x71756f72756d206c65742072756e2f64');
INSERT INTO public.ff_payload VALUES (211, '018bcfe5-6800-7000-8006-000000000001', '\x636f6d706c6574656420666c6f772f61');
INSERT INTO public.ff_payload VALUES (211, '018bcfe5-6800-7000-8006-000000000002', '\x636f6d706c6574656420666c6f772f62');
INSERT INTO public.ff_payload VALUES (242, '018bcfe5-6800-7000-8007-000000000001', '\x6661696c656420666c6f772f61');
INSERT INTO public.ff_payload VALUES (242, '018bcfe5-6800-7000-8007-000000000002', '\x6661696c656420666c6f772f62');
INSERT INTO public.ff_payload VALUES (29, '018bcfe5-6800-7000-8008-000000000001', '\x72656f70656e656420666c6f772f61');
INSERT INTO public.ff_payload VALUES (29, '018bcfe5-6800-7000-8008-000000000002', '\x72656f70656e656420666c6f772f62');
INSERT INTO public.ff_payload VALUES (60, '018bcfe5-6800-7000-8009-000000000001', '\x63616e63656c6c656420666c6f772f61');
INSERT INTO public.ff_payload VALUES (60, '018bcfe5-6800-7000-8009-000000000002', '\x63616e63656c6c656420666c6f772f62');
INSERT INTO public.ff_payload VALUES (95, '018bcfe5-6800-7000-800a-000000000001', '\x63616e63656c6c65642070656e64696e672f61');
INSERT INTO public.ff_payload VALUES (95, '018bcfe5-6800-7000-800a-000000000002', '\x63616e63656c6c65642070656e64696e672f62');
INSERT INTO public.ff_payload VALUES (126, '018bcfe5-6800-7000-800b-000000000001', '\x666c6f77206f6e6c792f61');
INSERT INTO public.ff_payload VALUES (126, '018bcfe5-6800-7000-800b-000000000002', '\x666c6f77206f6e6c792f62');
INSERT INTO public.ff_payload VALUES (208, '018bcfe5-6800-7000-8063-000000000001', '\x62792068616e642f61');
INSERT INTO public.ff_payload VALUES (208, '018bcfe5-6800-7000-8063-000000000002', '\x62792068616e642f62');
INSERT INTO public.ff_payload VALUES (132, '018bcfe5-6800-7000-8000-000000000012', '\x696e206120706175736564206c616e65');
INSERT INTO public.ff_payload VALUES (56, '018bcfe5-6800-7000-8000-000000000013', '\x696e206120726573756d6564206c616e65');
INSERT INTO public.ff_payload VALUES (63, '018bcfe5-6800-7000-8000-000000000014', '\x6f6620612074656e616e74');
INSERT INTO public.ff_payload VALUES (232, '018bcfe5-6800-7000-8000-000000000015', '\x77616974696e6720666f7220616e20656469746f72');
INSERT INTO public.ff_payload VALUES (81, '018bcfe5-6800-7000-8000-000000000016', '\x636f6d706c6574656420616674657220612077616974');
INSERT INTO public.ff_payload VALUES (147, '018bcfe5-6800-7000-8000-000000000017', '\x726573756d6564206279206974732074696d656f7574');
INSERT INTO public.ff_payload VALUES (211, '018bcfe5-6800-7000-8000-000000000018', '\x6661696c6564206279207468652074696d656f7574206f6620612077616974');
INSERT INTO public.ff_payload VALUES (20, '018bcfe5-6800-7000-8000-000000000019', '\x657363616c61746564');
INSERT INTO public.ff_payload VALUES (220, '018bcfe5-6800-7000-8000-00000000001a', '\x63616e63656c6c6564207768696c6520697420776169746564');
INSERT INTO public.ff_payload VALUES (38, '018bcfe5-6800-7000-8000-00000000001b', '\x77616974696e6720666f7220766f746573');
INSERT INTO public.ff_payload VALUES (113, '018bcfe5-6800-7000-8000-00000000001c', '\x736c656570696e67');
INSERT INTO public.ff_payload VALUES (230, '018bcfe5-6800-7000-8000-00000000001d', '\x77616974696e67207769746820612074696d656f7574');
INSERT INTO public.ff_payload VALUES (75, '018bcfe5-6800-7000-8000-00000000001e', '\x726573756d61626c65');
INSERT INTO public.ff_payload VALUES (104, '018bcfe5-6800-7000-8000-00000000001f', '\x73757370656e64656420616e642068656c64');
INSERT INTO public.ff_payload VALUES (103, '018bcfe5-6800-7000-8000-000000000020', '\x77616974696e67206174206120636c6f7365642077616974706f696e74');
INSERT INTO public.ff_payload VALUES (118, '018bcfe5-6800-7000-8000-000000000021', '\x7369676e616c6c6564206265666f7265206974207761697473');
INSERT INTO public.ff_payload VALUES (71, '018bcfe5-6800-7000-8000-000000000022', '\x6c696e676572696e67');
INSERT INTO public.ff_payload VALUES (161, '018bcfe5-6800-7000-8000-000000000023', '\x706172656e74');
INSERT INTO public.ff_payload VALUES (161, 'ae61f511-0000-83ac-9b1c-faa745fcb0f5', '\x706167652030');
INSERT INTO public.ff_payload VALUES (161, 'ae61f511-0001-8c26-8855-c8ccae7f4945', '\x706167652031');
INSERT INTO public.ff_payload VALUES (161, 'ae61f511-0002-8c83-9a73-9f63983ab060', '\x706167652032');
INSERT INTO public.ff_payload VALUES (223, '018bcfe5-6800-7000-8000-000000000024', '\x737065616b696e67');
INSERT INTO public.ff_payload VALUES (107, '018bcfe5-6800-7000-8000-000000000025', '\x66656c6c2073696c656e74');
INSERT INTO public.ff_payload VALUES (114, '018bcfe5-6800-7000-8000-000000000026', '\x756e6465722061206c696d6974');
INSERT INTO public.ff_payload VALUES (56, '018bcfe5-6800-7000-8000-000000000027', '\x626568696e642061206c696d6974');
INSERT INTO public.ff_payload VALUES (40, '018bcfe5-6800-7000-8000-000000000028', '\x626568696e642061206c696d69742c20696e20616e6f74686572207475726e');
INSERT INTO public.ff_payload VALUES (38, '018bcfe5-6800-7000-8000-000000000029', '\x696e206120626c6f636b');
INSERT INTO public.ff_payload VALUES (221, '018bcfe5-6800-7000-8000-00000000002a', '\x7370656e646572');
INSERT INTO public.ff_payload VALUES (157, '018bcfe5-6800-7000-8000-00000000002b', '\x626568696e64206120627564676574');
INSERT INTO public.ff_payload VALUES (224, '018bcfe5-6800-7000-8000-00000000002c', '\x626568696e642061207061757365');
INSERT INTO public.ff_payload VALUES (86, '018bcfe5-6800-7000-8000-00000000002d', '\x77616974696e67');
INSERT INTO public.ff_payload VALUES (86, '018bcfe5-6800-7000-8000-0000000003e7', '\x6b657074');
INSERT INTO public.ff_payload VALUES (86, '018bcfe5-6800-7000-8000-00000000002e', '\x77616974696e6720666f72206120677075');
INSERT INTO public.ff_payload VALUES (86, '018bcfe5-6800-7000-8000-00000000002f', '\x77616974696e672077697468206120646561646c696e65');
INSERT INTO public.ff_payload VALUES (48, '018bcfe5-6800-7000-8000-000000000030', '\x64656c61796564');
INSERT INTO public.ff_payload VALUES (239, '018bcfe5-6800-7000-8000-000000000031', '\x68656c64');
INSERT INTO public.ff_payload VALUES (59, '018bcfe5-6800-7000-8000-000000000032', '\x77616974696e6720666f7220697473207265747279');
INSERT INTO public.ff_payload VALUES (52, '018bcfe5-6800-7000-8000-000000000033', '\x616374697665');
INSERT INTO public.ff_payload VALUES (7, '018bcfe5-6800-7000-8000-000000000034', '\x616374697665207769746820616e2065787069726564206c65617365');
INSERT INTO public.ff_payload VALUES (227, '018bcfe5-6800-7000-8000-000000000035', '\x64656c6179656420616e6420647565');
INSERT INTO public.ff_payload VALUES (44, '018bcfe5-6800-7000-8000-000000000036', '\x706173742069747320646561646c696e65');


--
-- Data for Name: ff_ready; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_ready VALUES ('default', 'reports', 0, 0, 1700000202000, '018bcfe6-eea0-7643-9758-4c28ba83a61e', 32, 0);
INSERT INTO public.ff_ready VALUES ('default', 'reports', 0, 0, 1700000202000, '018bcfe7-d900-765f-8002-33b1d051c5b2', 32, 0);
INSERT INTO public.ff_ready VALUES ('default', 'released', 0, 0, 1700000234000, '018bcfe5-6800-7000-8000-00000000000c', 164, 0);
INSERT INTO public.ff_ready VALUES ('default', 'revoked', 0, 0, 1700000234000, '018bcfe5-6800-7000-8000-00000000000e', 195, 0);
INSERT INTO public.ff_ready VALUES ('default', 'interrupted', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-00000000000f', 118, 0);
INSERT INTO public.ff_ready VALUES ('default', 'replayed', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-000000000010', 126, 0);
INSERT INTO public.ff_ready VALUES ('default', 'held-and-let-go', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-000000000011', 211, 0);
INSERT INTO public.ff_ready VALUES ('default', 'all-of-b', 0, 0, 1700000236000, '018bcfe5-6800-7000-8001-000000000002', 52, 0);
INSERT INTO public.ff_ready VALUES ('default', 'all-of-c', 0, 0, 1700000236000, '018bcfe5-6800-7000-8001-000000000003', 52, 0);
INSERT INTO public.ff_ready VALUES ('default', 'any-of-b', 0, 0, 1700000236000, '018bcfe5-6800-7000-8002-000000000002', 87, 0);
INSERT INTO public.ff_ready VALUES ('default', 'any-of-c', 0, 0, 1700000236000, '018bcfe5-6800-7000-8002-000000000003', 87, 0);
INSERT INTO public.ff_ready VALUES ('default', 'any-of-let-run-a', 0, 0, 1700000236000, '018bcfe5-6800-7000-8003-000000000001', 118, 0);
INSERT INTO public.ff_ready VALUES ('default', 'any-of-let-run-c', 0, 0, 1700000236000, '018bcfe5-6800-7000-8003-000000000003', 118, 0);
INSERT INTO public.ff_ready VALUES ('default', 'quorum-b', 0, 0, 1700000236000, '018bcfe5-6800-7000-8004-000000000002', 145, 0);
INSERT INTO public.ff_ready VALUES ('default', 'quorum-c', 0, 0, 1700000236000, '018bcfe5-6800-7000-8004-000000000003', 145, 0);
INSERT INTO public.ff_ready VALUES ('default', 'any-of-let-run-d', 0, 0, 1700000236000, '018bcfe5-6800-7000-8003-000000000004', 118, 0);
INSERT INTO public.ff_ready VALUES ('default', 'quorum-let-run-d', 0, 0, 1700000236000, '018bcfe5-6800-7000-8005-000000000004', 176, 0);
INSERT INTO public.ff_ready VALUES ('default', 'reopened-flow-a', 0, 0, 1700000236000, '018bcfe5-6800-7000-8008-000000000001', 29, 0);
INSERT INTO public.ff_ready VALUES ('default', 'by-hand-a', 0, 0, 1700000236000, '018bcfe5-6800-7000-8063-000000000001', 208, 0);
INSERT INTO public.ff_ready VALUES ('default', 'paused', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-000000000012', 132, 0);
INSERT INTO public.ff_ready VALUES ('default', 'resumed', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-000000000013', 56, 0);
INSERT INTO public.ff_ready VALUES ('tenant-a', 'of-a-tenant', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-000000000014', 63, 0);
INSERT INTO public.ff_ready VALUES ('default', 'resumed-by-its-timeout', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-000000000017', 147, 0);
INSERT INTO public.ff_ready VALUES ('default', 'resumable', 0, 0, 1700000238000, '018bcfe5-6800-7000-8000-00000000001e', 75, 0);
INSERT INTO public.ff_ready VALUES ('default', 'signalled-before-it-waits', 0, 0, 1700000238000, '018bcfe5-6800-7000-8000-000000000021', 118, 0);
INSERT INTO public.ff_ready VALUES ('default', 'child-2', 0, 0, 1700000238000, 'ae61f511-0002-8c83-9a73-9f63983ab060', 161, 0);
INSERT INTO public.ff_ready VALUES ('default', 'parent', 0, 0, 1700000238000, '018bcfe5-6800-7000-8000-000000000023', 161, 0);
INSERT INTO public.ff_ready VALUES ('default', 'default', 0, -7, 1700000238000, '018bcfe5-6800-7000-8000-00000000002d', 86, 0);
INSERT INTO public.ff_ready VALUES ('default', 'default', 0, 0, 1700000238000, '018bcfe5-6800-7000-8000-0000000003e7', 86, 0);
INSERT INTO public.ff_ready VALUES ('default', 'default', 3, 0, 1700000238000, '018bcfe5-6800-7000-8000-00000000002e', 86, 0);
INSERT INTO public.ff_ready VALUES ('default', 'default', 0, 0, 1700000238000, '018bcfe5-6800-7000-8000-00000000002f', 86, 0);
INSERT INTO public.ff_ready VALUES ('default', 'past-its-deadline', 0, 0, 1700000238000, '018bcfe5-6800-7000-8000-000000000036', 44, 0);


--
-- Data for Name: ff_result; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_result VALUES (194, '018bcfe5-6800-7000-8000-000000000002', '\x00ff20726573756c74', 0);
INSERT INTO public.ff_result VALUES (69, '018bcfe5-6800-7000-8000-00000000000b', '\x7365636f6e64', 1);
INSERT INTO public.ff_result VALUES (52, '018bcfe5-6800-7000-8001-000000000001', '\x6f6e65', 0);
INSERT INTO public.ff_result VALUES (118, '018bcfe5-6800-7000-8003-000000000002', '\x6669727374', 0);
INSERT INTO public.ff_result VALUES (145, '018bcfe5-6800-7000-8004-000000000001', '\x6f6e65206f662074776f', 0);
INSERT INTO public.ff_result VALUES (176, '018bcfe5-6800-7000-8005-000000000001', '\x6f6e65', 0);
INSERT INTO public.ff_result VALUES (176, '018bcfe5-6800-7000-8005-000000000002', '\x74776f', 0);
INSERT INTO public.ff_result VALUES (211, '018bcfe5-6800-7000-8006-000000000001', '\x61', 0);
INSERT INTO public.ff_result VALUES (211, '018bcfe5-6800-7000-8006-000000000002', '\x62', 0);
INSERT INTO public.ff_result VALUES (81, '018bcfe5-6800-7000-8000-000000000016', '\x646f6e65', 0);
INSERT INTO public.ff_result VALUES (161, 'ae61f511-0000-83ac-9b1c-faa745fcb0f5', '\x72656164', 0);
INSERT INTO public.ff_result VALUES (107, '018bcfe5-6800-7000-8000-000000000025', '\x73616964', 0);


--
-- Data for Name: ff_schedule; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_schedule VALUES ('default', 'paused', 'report', '\x', '\x', NULL, NULL, 3600000, 333, 'last', 'default', 0, NULL, '[]', NULL, NULL, 1700000002000, 1700000002000, 1700000002000, 1700000002000, NULL, 1700000002000, 'look first', 1, NULL, NULL);
INSERT INTO public.ff_schedule VALUES ('default', 'often', 'report', '\x6f6674656e', '\x', NULL, NULL, 60000, 0, 'last', 'reports', 0, NULL, '[]', NULL, NULL, 1700000002000, 1700000002000, 1700000202000, 1700000202000, 1700000160000, NULL, NULL, 2, NULL, NULL);
INSERT INTO public.ff_schedule VALUES ('default', 'nightly', 'report', '\x', '\x', '30 3 * * *', 'Europe/Berlin', NULL, NULL, 'last', 'default', 0, NULL, '[]', NULL, NULL, 1700000002000, 1700000202000, 1700000202000, 1700000202000, NULL, NULL, NULL, 1, NULL, NULL);


--
-- Data for Name: ff_schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_schema_version VALUES (1, 'dac1951ca687cd2f2f3bb69a207c1b5613439c568eccee22caa076cbb144f64d', '1970-01-01 00:00:00+00', 1);
INSERT INTO public.ff_schema_version VALUES (2, 'c7dacc57cabf30da51568a0a7059db3c450001d14ae5345de7e535e1731edb74', '1970-01-01 00:00:00+00', 2);
INSERT INTO public.ff_schema_version VALUES (3, '01b55d634c9384794f19818d97647d7e65a2653619b010ffcb736511d3652ded', '1970-01-01 00:00:00+00', 3);
INSERT INTO public.ff_schema_version VALUES (4, '733f0f4f11ae764ef1897fbed57197fe421cab40458eaaa3e3d637ba17fa865c', '1970-01-01 00:00:00+00', 4);
INSERT INTO public.ff_schema_version VALUES (5, '5cc8fd0dd4e7fc91590bac321fdda8f7989266549130ebc8115e62acecff063f', '1970-01-01 00:00:00+00', 5);
INSERT INTO public.ff_schema_version VALUES (6, '7c687109435da938f3cda975c9191b91beaf207454d0e0a5b7598866de962143', '1970-01-01 00:00:00+00', 5);
INSERT INTO public.ff_schema_version VALUES (7, 'b65de9ebf4ed6811eccc0311a8b2f11937e7fe7a423f2a247cea3ff3b1f04b8f', '1970-01-01 00:00:00+00', 5);
INSERT INTO public.ff_schema_version VALUES (8, '192e74be168153a1ac83e25aa524c9a96588b7b77408cd32521d91480318a1ea', '1970-01-01 00:00:00+00', 8);
INSERT INTO public.ff_schema_version VALUES (9, '1e1e7d4f9bc918b7b023dba61bebbce5f0655c89189a23bfae655995f56d18e2', '1970-01-01 00:00:00+00', 9);
INSERT INTO public.ff_schema_version VALUES (10, '1fe3b29cce81fc7b05164062c2beb4bbd6b44c5ada251945b030ee02190448b4', '1970-01-01 00:00:00+00', 10);
INSERT INTO public.ff_schema_version VALUES (11, '30e67094f1a794e20503c407a3fe3b21c9ef1ef7f6d9b1b549b958142bce3b97', '1970-01-01 00:00:00+00', 11);
INSERT INTO public.ff_schema_version VALUES (12, '473d68c0f97c1590e9dcd37187b2530b8673a67d95255f897f7b0ac4f324b284', '1970-01-01 00:00:00+00', 11);
INSERT INTO public.ff_schema_version VALUES (13, '2d12778a9bbe420bc7c74551f9f32c99005bdb596a75e5684d771915a1c3262e', '1970-01-01 00:00:00+00', 13);
INSERT INTO public.ff_schema_version VALUES (14, '37a334e5c75ff450c64c5c8de38854e4cd770be7dd71b4b9412bcb270c7d53dd', '1970-01-01 00:00:00+00', 13);
INSERT INTO public.ff_schema_version VALUES (15, '6ece8e40b672c3dd8a1856a47b8268f19623a8a2d1041f538085a3717fdf5974', '1970-01-01 00:00:00+00', 15);


--
-- Data for Name: ff_signal; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_signal VALUES (81, '018bcfe5-6800-7000-8000-000000000016', 1, 'ec539b12-4e16-85e9-aab8-51e15376c0bb', '102ffe25-865c-8d4d-a360-d9d550ef8295', 'editor', 'verdict', 'bob', '', 1700000236000, 'wait', '\x00ff2066696e65');
INSERT INTO public.ff_signal VALUES (81, '018bcfe5-6800-7000-8000-000000000016', 2, '3cc23c44-5ee5-8a57-815d-155b817dd459', 'd6b1e452-8684-8fb8-ad99-e6a48c260717', 'typo', '', '', '', 1700000236000, NULL, '\x6e657665722072656164');
INSERT INTO public.ff_signal VALUES (38, '018bcfe5-6800-7000-8000-00000000001b', 1, '801e95c4-001d-8318-8da4-e08cec0cfacb', 'c5ec335f-74ec-8eb0-b37c-634a47ff76fe', 'vote', '', 'ann', '', 1700000238000, NULL, '\x796573');
INSERT INTO public.ff_signal VALUES (38, '018bcfe5-6800-7000-8000-00000000001b', 2, '8e3c3e48-f015-83e3-a4dc-02e1071862a9', 'c5ec335f-74ec-8eb0-b37c-634a47ff76fe', 'vote', '', 'ann', '', 1700000238000, NULL, '\x79657320616761696e');
INSERT INTO public.ff_signal VALUES (75, '018bcfe5-6800-7000-8000-00000000001e', 1, 'f7ad4497-4d10-8086-b6a3-bf1e6367057d', '69b82615-af51-82e6-af9a-33d31d65e0c3', 'editor', '', '', '', 1700000238000, 'wait', '\x676f206f6e');
INSERT INTO public.ff_signal VALUES (118, '018bcfe5-6800-7000-8000-000000000021', 1, 'bcf4207f-10bd-8890-af86-60216dcc00ba', 'b7d6c052-14c4-80d4-bb90-54baa297f88b', 'editor', '', '', '', 1700000238000, NULL, '\x6561726c79');
INSERT INTO public.ff_signal VALUES (71, '018bcfe5-6800-7000-8000-000000000022', 1, 'efd90080-2a2d-855a-aea4-5d26c4934fbc', '6b8b62a3-a64d-8a8f-bee3-b6fdcb08930d', 'a', '', '', '', 1700000238000, 'first', '\x6f7665722c20616e642074686520776f726b657220646f6573206e6f74206b6e6f7720697420796574');


--
-- Data for Name: ff_signal_key; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_signal_key VALUES (81, '018bcfe5-6800-7000-8000-000000000016', 'editor', 'mail-1', '\x986e4bd63aae87648487e1f6041d7393', 'ec539b12-4e16-85e9-aab8-51e15376c0bb', 'default', NULL);


--
-- Data for Name: ff_spend_key; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_spend_key VALUES (114, '018bcfe5-6800-7000-8000-000000000026', 'team', 'bill-1', '{"usd":3}', '\x84a474797065a55370656e74a972656d61696e696e6781a37573640da8657863656564656490ad736f66745f657863656564656490');


--
-- Data for Name: ff_step; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_step VALUES (81, '018bcfe5-6800-7000-8000-000000000016', 'wait', '\x677b307abf4e6a7b726f3c0ca1cec9cb', '\x83a474797065a8576169744f766572a77369676e616c739188a474797065a65369676e616ca97369676e616c5f6964d92465633533396231322d346531362d383565392d616162382d353165313533373663306262a36b6579a6656469746f72a46e616d65a776657264696374a77061796c6f6164c40700ff2066696e65a6736f75726365a3626f62af64656c6976657265645f61745f6d73cf0000018bcfe901e0ae636c61696d65645f736f75726365a0a56361757365a67369676e616c', 0, 1700000236000, 1, 1, 1, NULL);
INSERT INTO public.ff_step VALUES (81, '018bcfe5-6800-7000-8000-000000000016', 'publish', '\x70', '\x7075626c6973686564', 0, 1700000236000, 2, 0, 1, 2);
INSERT INTO public.ff_step VALUES (147, '018bcfe5-6800-7000-8000-000000000017', 'wait', '\x677b307abf4e6a7b726f3c0ca1cec9cb', '\x83a474797065a8576169744f766572a77369676e616c7390a56361757365a774696d656f7574', 0, 1700000238000, 1, 1, 1, NULL);
INSERT INTO public.ff_step VALUES (75, '018bcfe5-6800-7000-8000-00000000001e', 'wait', '\x677b307abf4e6a7b726f3c0ca1cec9cb', '\x83a474797065a8576169744f766572a77369676e616c739188a474797065a65369676e616ca97369676e616c5f6964d92466376164343439372d346431302d383038362d623661332d626631653633363730353764a36b6579a6656469746f72a46e616d65a0a77061796c6f6164c405676f206f6ea6736f75726365a0af64656c6976657265645f61745f6d73cf0000018bcfe909b0ae636c61696d65645f736f75726365a0a56361757365a67369676e616c', 0, 1700000238000, 1, 1, 1, NULL);
INSERT INTO public.ff_step VALUES (71, '018bcfe5-6800-7000-8000-000000000022', 'first', '\x3044e7e4c059180fe3d287f6304d7818', '\x83a474797065a8576169744f766572a77369676e616c739188a474797065a65369676e616ca97369676e616c5f6964d92465666439303038302d326132642d383535612d616561342d356432366334393334666263a36b6579a161a46e616d65a0a77061796c6f6164c4296f7665722c20616e642074686520776f726b657220646f6573206e6f74206b6e6f7720697420796574a6736f75726365a0af64656c6976657265645f61745f6d73cf0000018bcfe909b0ae636c61696d65645f736f75726365a0a56361757365a67369676e616c', 0, 1700000238000, 1, 1, 1, NULL);
INSERT INTO public.ff_step VALUES (161, '018bcfe5-6800-7000-8000-000000000023', 'pages', '\x5888389aefb1bfb5a456b758a23badc3', '\x83a474797065a8576169744f766572a77369676e616c7390a56361757365a86368696c6472656e', 0, 1700000238000, 1, 1, 1, NULL);
INSERT INTO public.ff_step VALUES (223, '018bcfe5-6800-7000-8000-000000000024', 'draft', '\x64', '\x64726166746564', 0, 1700000238000, 1, 0, 1, 1);
INSERT INTO public.ff_step VALUES (52, '018bcfe5-6800-7000-8000-000000000033', 'fetch', '\x6631', '\x7b227061676573223a20337d', 0, 1700000238000, 1, 0, 1, 1);
INSERT INTO public.ff_step VALUES (52, '018bcfe5-6800-7000-8000-000000000033', 'render', '\x6632', '\x', 0, 1700000238000, 2, 0, 1, 1);


--
-- Data for Name: ff_stream; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_stream VALUES (223, '018bcfe5-6800-7000-8000-000000000024', 2, 6, 1, 6, 27, 0, 0, 0);
INSERT INTO public.ff_stream VALUES (107, '018bcfe5-6800-7000-8000-000000000025', 1, 10, 0, 3, 4, 0, 1, 7);


--
-- Data for Name: ff_stream_chunk; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_stream_chunk VALUES (223, '018bcfe5-6800-7000-8000-000000000024', 1, 0, 0, 2, 23, 1700000238000, NULL, '\x929092930000c4156c6f737420776974682074686520617474656d7074930500c40200ff');
INSERT INTO public.ff_stream_chunk VALUES (223, '018bcfe5-6800-7000-8000-000000000024', 1, 2, 0, 1, 13, 1700000238000, NULL, '\x929192a564726166740191930101c40d7b22746f6b656e73223a20337d');
INSERT INTO public.ff_stream_chunk VALUES (223, '018bcfe5-6800-7000-8000-000000000024', 2, 0, 1, 6, 27, 1700000238000, NULL, '\x929096930000c40474657874930100c4046a736f6e930200c4067374646f7574930300c406737464657272930400c4036c6f67930500c404626c6f62');
INSERT INTO public.ff_stream_chunk VALUES (107, '018bcfe5-6800-7000-8000-000000000025', 1, 6, 0, 2, 2, 1700000238000, NULL, '\x929092930000c40133930000c4012e');
INSERT INTO public.ff_stream_chunk VALUES (107, '018bcfe5-6800-7000-8000-000000000025', 1, 8, 0, 2, 2, 1700000238000, NULL, '\x929092930000c40134930000c4012e');


--
-- Data for Name: ff_summary; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_summary VALUES (223, '018bcfe5-6800-7000-8000-000000000024', 2, '{"stage":"again","tokens":{"out":[1,"ü"]}}');


--
-- Data for Name: ff_tag; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_tag VALUES (32, '018bcfe6-eea0-7643-9758-4c28ba83a61e', 'schedule.name', 'often', 1700000202000);
INSERT INTO public.ff_tag VALUES (32, '018bcfe6-eea0-7643-9758-4c28ba83a61e', 'schedule.slot', '2023-11-14T22:15:00.000Z', 1700000202000);
INSERT INTO public.ff_tag VALUES (32, '018bcfe7-d900-765f-8002-33b1d051c5b2', 'schedule.name', 'often', 1700000202000);
INSERT INTO public.ff_tag VALUES (32, '018bcfe7-d900-765f-8002-33b1d051c5b2', 'schedule.slot', '2023-11-14T22:16:00.000Z', 1700000202000);
INSERT INTO public.ff_tag VALUES (194, '018bcfe5-6800-7000-8000-000000000002', 'order.id', '1', 1700000202000);
INSERT INTO public.ff_tag VALUES (194, '018bcfe5-6800-7000-8000-000000000002', 'team.name', 'ü
{}', 1700000202000);
INSERT INTO public.ff_tag VALUES (63, '018bcfe5-6800-7000-8000-000000000014', 'team.name', 'a', 1700000236000);
INSERT INTO public.ff_tag VALUES (86, '018bcfe5-6800-7000-8000-00000000002d', 'order.id', '2', 1700000238000);


--
-- Data for Name: ff_waitpoint; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_waitpoint VALUES (232, '018bcfe5-6800-7000-8000-000000000015', 'editor', 0, '407f04b6-0f98-8461-98b0-27df382b968d', 1700000236000, 'first', NULL, '{"title":"Publish?","choices":["yes","no"]}', 'article-7', NULL, '["ann"]');
INSERT INTO public.ff_waitpoint VALUES (81, '018bcfe5-6800-7000-8000-000000000016', 'editor', 0, '102ffe25-865c-8d4d-a360-d9d550ef8295', 1700000236000, 'second', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_waitpoint VALUES (81, '018bcfe5-6800-7000-8000-000000000016', 'typo', 0, 'd6b1e452-8684-8fb8-ad99-e6a48c260717', 1700000236000, 'second', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_waitpoint VALUES (147, '018bcfe5-6800-7000-8000-000000000017', 'editor', 0, 'd0af50ed-4610-8fec-9ca9-2dff3b53dde1', 1700000236000, 'second', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_waitpoint VALUES (211, '018bcfe5-6800-7000-8000-000000000018', 'editor', 0, '30c81467-3045-8dd7-b71a-b1ba9b7c344b', 1700000236000, 'second', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_waitpoint VALUES (20, '018bcfe5-6800-7000-8000-000000000019', 'editor', 0, 'af102852-4f04-8336-91d8-b8d096e9ad60', 1700000236000, 'second', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_waitpoint VALUES (220, '018bcfe5-6800-7000-8000-00000000001a', 'editor', 0, '8f0c85e2-95df-89bf-a1ea-babff87ff3d8', 1700000238000, 'second', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_waitpoint VALUES (38, '018bcfe5-6800-7000-8000-00000000001b', 'vote', 0, 'c5ec335f-74ec-8eb0-b37c-634a47ff76fe', 1700000238000, 'second', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_waitpoint VALUES (230, '018bcfe5-6800-7000-8000-00000000001d', 'editor', 0, 'e4f70e1e-b087-8ffb-994a-0c03732b1d53', 1700000238000, 'second', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_waitpoint VALUES (75, '018bcfe5-6800-7000-8000-00000000001e', 'editor', 0, '69b82615-af51-82e6-af9a-33d31d65e0c3', 1700000238000, 'second', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_waitpoint VALUES (104, '018bcfe5-6800-7000-8000-00000000001f', 'editor', 0, '40fb187d-3ebc-8b48-b70e-05d29b163c59', 1700000238000, 'second', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_waitpoint VALUES (103, '018bcfe5-6800-7000-8000-000000000020', 'editor', 0, '8b0dc052-7814-8089-8c1f-5e74666d06bb', 1700000238000, 'second', NULL, NULL, NULL, 'the editor has left', NULL);
INSERT INTO public.ff_waitpoint VALUES (118, '018bcfe5-6800-7000-8000-000000000021', 'editor', 0, 'b7d6c052-14c4-80d4-bb90-54baa297f88b', 1700000238000, 'second', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_waitpoint VALUES (71, '018bcfe5-6800-7000-8000-000000000022', 'a', 0, '6b8b62a3-a64d-8a8f-bee3-b6fdcb08930d', 1700000238000, 'second', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_waitpoint VALUES (71, '018bcfe5-6800-7000-8000-000000000022', 'b', 0, 'a34a7f23-2454-819d-9d66-d5ab5472c5c4', 1700000238000, 'second', NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: ff_worker; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_worker VALUES ('default', 'worker-1/a', 'worker-1', 'host-1', 4711, '["default","reports"]', '[]', '1.0', 1700000236000, 1700000236000, 1700003836000);
INSERT INTO public.ff_worker VALUES ('default', 'worker-1/b', 'worker-1', 'host-1', 4711, '["default","reports"]', '["gpu"]', '1.0', 1700000236000, 1700000236000, 1700003836000);


--
-- Name: ff_capability_set_capability_set_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ff_capability_set_capability_set_seq', 3, true);


--
-- Name: ff_event_event_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ff_event_event_id_seq', 167, true);


--
-- Name: ff_access_token ff_access_token_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_access_token
    ADD CONSTRAINT ff_access_token_pkey PRIMARY KEY (token_id);


--
-- Name: ff_alias ff_alias_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_alias
    ADD CONSTRAINT ff_alias_pkey PRIMARY KEY (namespace, alias);


--
-- Name: ff_at_gate ff_at_gate_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_at_gate
    ADD CONSTRAINT ff_at_gate_pkey PRIMARY KEY (partition_key, execution_id, gate_kind, name, gate_key);


--
-- Name: ff_attempt ff_attempt_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_attempt
    ADD CONSTRAINT ff_attempt_pkey PRIMARY KEY (partition_key, execution_id, attempt_index);


--
-- Name: ff_batch ff_batch_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_batch
    ADD CONSTRAINT ff_batch_pkey PRIMARY KEY (batch_id);


--
-- Name: ff_budget_day ff_budget_day_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_budget_day
    ADD CONSTRAINT ff_budget_day_pkey PRIMARY KEY (namespace, budget, day_ms, execution_kind, dimension);


--
-- Name: ff_budget ff_budget_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_budget
    ADD CONSTRAINT ff_budget_pkey PRIMARY KEY (namespace, name);


--
-- Name: ff_budget_use ff_budget_use_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_budget_use
    ADD CONSTRAINT ff_budget_use_pkey PRIMARY KEY (namespace, name, period_ms);


--
-- Name: ff_cancel_backlog_member ff_cancel_backlog_member_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_cancel_backlog_member
    ADD CONSTRAINT ff_cancel_backlog_member_pkey PRIMARY KEY (partition_key, flow_id, execution_id);


--
-- Name: ff_cancel_backlog ff_cancel_backlog_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_cancel_backlog
    ADD CONSTRAINT ff_cancel_backlog_pkey PRIMARY KEY (partition_key, flow_id);


--
-- Name: ff_capability_set ff_capability_set_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_capability_set
    ADD CONSTRAINT ff_capability_set_pkey PRIMARY KEY (capability_set);


--
-- Name: ff_capability_set ff_capability_set_tokens_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_capability_set
    ADD CONSTRAINT ff_capability_set_tokens_key UNIQUE (tokens);


--
-- Name: ff_command ff_command_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_command
    ADD CONSTRAINT ff_command_pkey PRIMARY KEY (scope, command_id);


--
-- Name: ff_count ff_count_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_count
    ADD CONSTRAINT ff_count_pkey PRIMARY KEY (namespace, lane_id, execution_kind, standing);


--
-- Name: ff_edge_group ff_edge_group_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_edge_group
    ADD CONSTRAINT ff_edge_group_pkey PRIMARY KEY (partition_key, downstream);


--
-- Name: ff_edge ff_edge_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_edge
    ADD CONSTRAINT ff_edge_pkey PRIMARY KEY (partition_key, flow_id, edge_id);


--
-- Name: ff_ends ff_ends_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_ends
    ADD CONSTRAINT ff_ends_pkey PRIMARY KEY (minute, namespace, public_state);


--
-- Name: ff_exec_core ff_exec_core_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_exec_core
    ADD CONSTRAINT ff_exec_core_pkey PRIMARY KEY (partition_key, execution_id);


--
-- Name: ff_failure ff_failure_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_failure
    ADD CONSTRAINT ff_failure_pkey PRIMARY KEY (partition_key, execution_id, attempt_index);


--
-- Name: ff_flow_cancel ff_flow_cancel_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_flow_cancel
    ADD CONSTRAINT ff_flow_cancel_pkey PRIMARY KEY (partition_key, flow_id);


--
-- Name: ff_flow_core ff_flow_core_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_flow_core
    ADD CONSTRAINT ff_flow_core_pkey PRIMARY KEY (partition_key, flow_id);


--
-- Name: ff_idempotency ff_idempotency_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_idempotency
    ADD CONSTRAINT ff_idempotency_pkey PRIMARY KEY (partition_key, namespace, idempotency_key);


--
-- Name: ff_key_ring ff_key_ring_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_key_ring
    ADD CONSTRAINT ff_key_ring_pkey PRIMARY KEY (name);


--
-- Name: ff_key_turn ff_key_turn_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_key_turn
    ADD CONSTRAINT ff_key_turn_pkey PRIMARY KEY (namespace, lane_id, priority, fair_key);


--
-- Name: ff_lane ff_lane_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_lane
    ADD CONSTRAINT ff_lane_pkey PRIMARY KEY (namespace, lane_id);


--
-- Name: ff_lane_turn ff_lane_turn_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_lane_turn
    ADD CONSTRAINT ff_lane_turn_pkey PRIMARY KEY (namespace, lane_id, priority);


--
-- Name: ff_ledger ff_ledger_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_ledger
    ADD CONSTRAINT ff_ledger_pkey PRIMARY KEY (partition_key, execution_id, budget, period_ms, day_ms);


--
-- Name: ff_limit_key ff_limit_key_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_limit_key
    ADD CONSTRAINT ff_limit_key_pkey PRIMARY KEY (namespace, name, key);


--
-- Name: ff_limit_override ff_limit_override_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_limit_override
    ADD CONSTRAINT ff_limit_override_pkey PRIMARY KEY (namespace, name, key);


--
-- Name: ff_limit ff_limit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_limit
    ADD CONSTRAINT ff_limit_pkey PRIMARY KEY (namespace, name);


--
-- Name: ff_meta ff_meta_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_meta
    ADD CONSTRAINT ff_meta_pkey PRIMARY KEY (name);


--
-- Name: ff_opening ff_opening_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_opening
    ADD CONSTRAINT ff_opening_pkey PRIMARY KEY (namespace, gate_kind, name, gate_key);


--
-- Name: ff_payload ff_payload_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_payload
    ADD CONSTRAINT ff_payload_pkey PRIMARY KEY (partition_key, execution_id);


--
-- Name: ff_result ff_result_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_result
    ADD CONSTRAINT ff_result_pkey PRIMARY KEY (partition_key, execution_id, generation);


--
-- Name: ff_schedule ff_schedule_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_schedule
    ADD CONSTRAINT ff_schedule_pkey PRIMARY KEY (namespace, name);


--
-- Name: ff_schema_version ff_schema_version_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_schema_version
    ADD CONSTRAINT ff_schema_version_pkey PRIMARY KEY (version);


--
-- Name: ff_signal_key ff_signal_key_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_signal_key
    ADD CONSTRAINT ff_signal_key_pkey PRIMARY KEY (partition_key, execution_id, key, idempotency_key);


--
-- Name: ff_signal ff_signal_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_signal
    ADD CONSTRAINT ff_signal_pkey PRIMARY KEY (partition_key, execution_id, number);


--
-- Name: ff_spend_key ff_spend_key_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_spend_key
    ADD CONSTRAINT ff_spend_key_pkey PRIMARY KEY (partition_key, execution_id, budget, idempotency_key);


--
-- Name: ff_step ff_step_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_step
    ADD CONSTRAINT ff_step_pkey PRIMARY KEY (partition_key, execution_id, name);


--
-- Name: ff_stream_chunk ff_stream_chunk_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_stream_chunk
    ADD CONSTRAINT ff_stream_chunk_pkey PRIMARY KEY (partition_key, execution_id, lease_epoch, first_seq);


--
-- Name: ff_stream ff_stream_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_stream
    ADD CONSTRAINT ff_stream_pkey PRIMARY KEY (partition_key, execution_id);


--
-- Name: ff_summary ff_summary_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_summary
    ADD CONSTRAINT ff_summary_pkey PRIMARY KEY (partition_key, execution_id);


--
-- Name: ff_tag ff_tag_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_tag
    ADD CONSTRAINT ff_tag_pkey PRIMARY KEY (partition_key, execution_id, key);


--
-- Name: ff_waitpoint ff_waitpoint_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_waitpoint
    ADD CONSTRAINT ff_waitpoint_pkey PRIMARY KEY (partition_key, execution_id, key);


--
-- Name: ff_worker ff_worker_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_worker
    ADD CONSTRAINT ff_worker_pkey PRIMARY KEY (namespace, worker_instance_id);


--
-- Name: ff_access_token_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_access_token_created ON public.ff_access_token USING btree (created_at_ms, token_id);


--
-- Name: ff_access_token_ends; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_access_token_ends ON public.ff_access_token USING btree (ends_at_ms) WHERE (ends_at_ms IS NOT NULL);


--
-- Name: ff_alias_of_execution; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_alias_of_execution ON public.ff_alias USING btree (partition_key, execution_id);


--
-- Name: ff_at_gate_oldest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_at_gate_oldest ON public.ff_at_gate USING btree (gate_state, namespace, gate_kind, name, gate_key, ready_at_ms, execution_id, partition_key);


--
-- Name: ff_at_gate_parked; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_at_gate_parked ON public.ff_at_gate USING btree (namespace, gate_kind, name, gate_key, lane_id, capability_set, rank, turn, ready_at_ms, execution_id, partition_key) WHERE (gate_state = 1);


--
-- Name: ff_batch_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_batch_age ON public.ff_batch USING btree (committed_at_ms);


--
-- Name: ff_budget_under; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_budget_under ON public.ff_budget USING btree (namespace, parent, name) WHERE (parent IS NOT NULL);


--
-- Name: ff_budget_use_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_budget_use_age ON public.ff_budget_use USING btree (((period_ms + 0)), namespace, name);


--
-- Name: ff_cancel_backlog_overdue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_cancel_backlog_overdue ON public.ff_cancel_backlog_member USING btree (overdue_at_ms);


--
-- Name: ff_command_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_command_expiry ON public.ff_command USING btree (expires_at_ms);


--
-- Name: ff_due_order; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX ff_due_order ON public.ff_due USING btree (due_kind, due_at_ms, partition_key, execution_id);


--
-- Name: ff_edge_from; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_edge_from ON public.ff_edge USING btree (upstream);


--
-- Name: ff_edge_group_of_flow; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_edge_group_of_flow ON public.ff_edge_group USING btree (flow_id);


--
-- Name: ff_edge_to; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_edge_to ON public.ff_edge USING btree (downstream);


--
-- Name: ff_event_by_transaction; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_event_by_transaction ON public.ff_event USING btree (txid, event_id);


--
-- Name: ff_event_of_execution; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX ff_event_of_execution ON public.ff_event USING btree (partition_key, execution_id, seq);


--
-- Name: ff_event_of_flow; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX ff_event_of_flow ON public.ff_event USING btree (partition_key, flow_id, seq) WHERE (execution_id IS NULL);


--
-- Name: ff_event_order; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_event_order ON public.ff_event USING btree (event_id);


--
-- Name: ff_exec_core_child; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_exec_core_child ON public.ff_exec_core USING btree (parent_id, partition_key, created_at_ms, execution_id) WHERE (parent_id IS NOT NULL);


--
-- Name: ff_exec_core_failed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_exec_core_failed ON public.ff_exec_core USING btree (created_at_ms, execution_id, partition_key) WHERE (failure_code IS NOT NULL);


--
-- Name: ff_exec_core_flow; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_exec_core_flow ON public.ff_exec_core USING btree (flow_id) WHERE (flow_id IS NOT NULL);


--
-- Name: ff_exec_core_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_exec_core_newest ON public.ff_exec_core USING btree (created_at_ms, execution_id, partition_key) WHERE (created_at_ms >= 0);


--
-- Name: ff_exec_core_suspended; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_exec_core_suspended ON public.ff_exec_core USING btree (waiting_since_ms, execution_id, partition_key) WHERE (waiting_since_ms IS NOT NULL);


--
-- Name: ff_flow_core_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_flow_core_newest ON public.ff_flow_core USING btree (created_at_ms, flow_id, partition_key) WHERE (created_at_ms >= 0);


--
-- Name: ff_flow_core_purge; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_flow_core_purge ON public.ff_flow_core USING btree (purge_at_ms) WHERE (purge_at_ms IS NOT NULL);


--
-- Name: ff_idempotency_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_idempotency_expiry ON public.ff_idempotency USING btree (expires_at_ms);


--
-- Name: ff_lease_sheet_order; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_lease_sheet_order ON public.ff_lease_sheet USING btree (due_at_ms);


--
-- Name: ff_ledger_budget; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_ledger_budget ON public.ff_ledger USING btree (namespace, budget, partition_key, execution_id);


--
-- Name: ff_limit_key_idle; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_limit_key_idle ON public.ff_limit_key USING btree (idle_at_ms) WHERE (idle_at_ms IS NOT NULL);


--
-- Name: ff_opening_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_opening_due ON public.ff_opening USING btree (at_ms, namespace, gate_kind, name, gate_key);


--
-- Name: ff_ready_order; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX ff_ready_order ON public.ff_ready USING btree (namespace, lane_id, capability_set, rank, turn, ready_at_ms, execution_id, partition_key);


--
-- Name: ff_signal_kept; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_signal_kept ON public.ff_signal USING btree (execution_id, key, number) WHERE (taken_by IS NULL);


--
-- Name: ff_signal_key_alias; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_signal_key_alias ON public.ff_signal_key USING btree (namespace, alias, idempotency_key, execution_id) WHERE (alias IS NOT NULL);


--
-- Name: ff_step_number; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_step_number ON public.ff_step USING btree (partition_key, execution_id, number) WHERE (number IS NOT NULL);


--
-- Name: ff_stream_chunk_retried; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_stream_chunk_retried ON public.ff_stream_chunk USING btree (execution_id, lease_epoch, retried, first_seq) WHERE (retried IS NOT NULL);


--
-- Name: ff_stream_too_long; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_stream_too_long ON public.ff_stream USING btree (execution_id, partition_key) WHERE (is_too_long = 1);


--
-- Name: ff_tag_search; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_tag_search ON public.ff_tag USING btree (key, value, created_at_ms, execution_id, partition_key) WHERE (created_at_ms >= 0);


--
-- PostgreSQL database dump complete
--


