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
    ff_exec_core.worker_id,
    ff_exec_core.worker_instance_id,
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
    ((('{fp:'::text || ff_exec_core.partition_key) || '}:'::text) || ff_exec_core.parent_id) AS parent_id
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
    ff_flow_core.flow_kind AS kind
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
    gates text
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
    CONSTRAINT ff_step_is_wait_check CHECK (((is_wait >= 0) AND (is_wait <= 1))),
    CONSTRAINT ff_step_tries_check CHECK ((tries >= 1))
);


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
-- Data for Name: ff_alias; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_alias VALUES ('default', 'article-7', 232, '018bcfe5-6800-7000-8000-000000000015', 'editor');


--
-- Data for Name: ff_at_gate; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_at_gate VALUES (114, '018bcfe5-6800-7000-8000-000000000024', 'default', 0, 'provider', 'small', 2, 'under-a-limit', 1, 0, 1, 1700000238000);
INSERT INTO public.ff_at_gate VALUES (114, '018bcfe5-6800-7000-8000-000000000024', 'default', 1, 'team', '', 2, 'under-a-limit', 1, 0, 1, 1700000238000);
INSERT INTO public.ff_at_gate VALUES (56, '018bcfe5-6800-7000-8000-000000000025', 'default', 0, 'provider', 'small', 1, 'behind-a-limit', 1, 0, 1, 1700000238000);
INSERT INTO public.ff_at_gate VALUES (40, '018bcfe5-6800-7000-8000-000000000026', 'default', 0, 'provider', 'small', 1, 'behind-a-limit,-in-another-turn', 1, 0, 1, 1700000238000);
INSERT INTO public.ff_at_gate VALUES (38, '018bcfe5-6800-7000-8000-000000000027', 'default', 0, 'provider', 'large', 2, 'in-a-block', 2, 0, 0, 1700000238000);
INSERT INTO public.ff_at_gate VALUES (157, '018bcfe5-6800-7000-8000-000000000029', 'default', 1, 'trial', '', 1, 'behind-a-budget', 2, 0, 0, 1700000238000);
INSERT INTO public.ff_at_gate VALUES (224, '018bcfe5-6800-7000-8000-00000000002a', 'default', 0, 'calls', '', 1, 'behind-a-pause', 2, 0, 0, 1700000238000);


--
-- Data for Name: ff_attempt; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_attempt VALUES (194, '018bcfe5-6800-7000-8000-000000000002', 0, 1, 'worker-1', 'worker-1/a', 1700000202000, 1700000202000, 0);
INSERT INTO public.ff_attempt VALUES (235, '018bcfe5-6800-7000-8000-000000000003', 0, 1, 'worker-1', 'worker-1/a', 1700000202000, 1700000202000, 0);
INSERT INTO public.ff_attempt VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 0, 1, 'worker-1', 'worker-1/a', 1700000202000, 1700000202000, 2);
INSERT INTO public.ff_attempt VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 1, 2, 'worker-1', 'worker-1/a', 1700000212000, 1700000212000, 2);
INSERT INTO public.ff_attempt VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 2, 3, 'worker-1', 'worker-1/a', 1700000222000, 1700000222000, 1);
INSERT INTO public.ff_attempt VALUES (160, '018bcfe5-6800-7000-8000-000000000005', 0, 1, 'worker-1', 'worker-1/a', 1700000232000, 1700000232000, 1);
INSERT INTO public.ff_attempt VALUES (163, '018bcfe5-6800-7000-8000-000000000007', 0, 1, 'worker-1', 'worker-1/a', 1700000232000, 1700000234000, 3);
INSERT INTO public.ff_attempt VALUES (123, '018bcfe5-6800-7000-8000-000000000006', 0, 1, 'worker-1', 'worker-1/a', 1700000232000, 1700000234000, 1);
INSERT INTO public.ff_attempt VALUES (78, '018bcfe5-6800-7000-8000-00000000000a', 0, 1, 'worker-1', 'worker-1/a', 1700000234000, 1700000234000, 5);
INSERT INTO public.ff_attempt VALUES (69, '018bcfe5-6800-7000-8000-00000000000b', 0, 3, 'worker-1', 'worker-1/a', 1700000234000, 1700000234000, 0);
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
INSERT INTO public.ff_attempt VALUES (221, '018bcfe5-6800-7000-8000-000000000028', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, 1700000238000, 5);
INSERT INTO public.ff_attempt VALUES (59, '018bcfe5-6800-7000-8000-000000000030', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, 1700000238000, 2);


--
-- Data for Name: ff_batch; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_batch VALUES ('\x16004873946eb0b1b05ba0e9a430ff04', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\x540ed5c4e9d566a02a538b36ac50f096', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\x486bb99ed777a6e8dfe766680eeb0d02', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\x39e42a8be26649ea03fab08da126f8ad', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x64de896b70e0ba8824b1909119f7b6f4', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xf6fe467402032f924cbe65ac5904e7ae', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x6db5be283f7548e129e8a6657f3383dd', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x551305111658fbba8692d42d7d8026f8', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x363f68027fbc480f90d2aa282ede8ec1', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x5edc150237671b88e8215f2816fe804c', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xa2b6b61077f6e2e58158ae5d651fe349', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x81d36bb5cbf41b1ddd32696401d6a5bc', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x9ca10ce693c1effd0bfb878129724036', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xb22cddd035fa4db6275ec5e03f74be33', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xb826ba3a26e0b8bd41637af4a90b4906', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x05d4c267064ad4d94b717ab56956a4bb', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xec670fc387eff92bae8386e840efc6ad', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x715422e82dd3dcd20ba500b419bad123', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xeb33ceae942dbaa7c569e2b8f45b9695', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x48f196aa7f464791b6f6ac458908942d', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xe0156a5c675625d38da168aabe4c76f8', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xae513c44aec5871ab86feb8df53c0290', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xc803854ffde202ddc9b251c6007d7006', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x283f88373af2bbc6fec46d6743453cde', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x077b0280cd3eade801dffd5f2bd49f41', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\xceb9bcfc8603857d3fd926858a9b1e33', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\x8899d99710df0e83642447e4b79d72bc', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\xd00caef510ace8585f49f3887d755b26', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\x9c1a11f7c903ba238f67d251150836a0', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\x50c4adbab8bb482a7f70f68ae5095656', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\xc5320e327e51c67ecb3b363e669a5715', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\x2d9f80a998d91d913c655ebe86bfea67', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\x278b7639eebb9dd795817179d5c77bb0', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\xd9a4835041b772bdae139e66bdf27047', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x2c3822fecf8ef9857e737c209c064e20', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x5630e7c3b7327cb402b7be6f65bf2008', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x8c5f118833c4b485492c7a5de178e8a4', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\xb4bb59737d2d8d466b8de5601df242e1', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x11428387f47596cfb6ab0f7ae9d54a25', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x29a16cfdb1686224f804a50556a3ba2d', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x6d68f1f57b23e7a9fce9686403efe23b', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x3d2997f339057731c668e74cebec86ce', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xbf8a41dbbc01ca79a2cb30530c213fb1', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x8851be48fc4c2d2fbef03988edb0af52', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x98ab661d9f0ddb5135f0e906af710f9c', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xefd152ced3f0b4090d88316efec00b8f', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x9097f4824416de2e0d86eefd2ba73573', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xd6fc3cdd588ce4b1d64fd0c67234b900', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xb1b33d801ab40a2ebb9d8b35321b5b08', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xe6d9ee24e06001022b2ff381de8f6bf4', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x52561f6f74ce21e23f8c838ae66c97c9', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xe64c486a28d07822688f9ae13f94d30d', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xe4ac82a55e8a185cefd1f0b92e16f44a', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xb0f305a34c926fc528035399adb536e6', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xe0fda9df8040e7d94c8cd5ce624ea892', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xb253d718386b5aaa4ae418a1d1dada91', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x6875fe9f16679584e9ac70cada2ec5f6', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x3bd0464a5387a9ff3866ab71a76051ed', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x6a35533bbf8f9940cad433a0ac8636c9', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x5a7dc5ef3fceb98837fdf6e428dfbfa6', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x453d20a4c3122a12e890535299205dd6', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x9198e78bd5050da65d84a80f893bf4eb', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x2984a68d138a85b5d94ad0fc5a91e8eb', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x7d6ee99b4102ebbee0dea0c70ee5f0eb', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x90643cdf7d9c29213a2a45bb7e48452e', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x2fd68d3aa8958e14c3d882ecabfb11e8', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x4fa52aeede6d48c540b1bfb3b907ae6f', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x965a61a17b032f718e5544487f6e5413', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x108d5034f225c0f30ab874b67240ba30', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xfeeef8f5b98291ed1cf1a339e368e938', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf22552f550908010bde34e28bf105714', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xfac278301cc7091b854e4c2c9ba6172d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb43fae55ad41c83988fbb7db986cd728', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xde61caf7445115791e0daf0f0602696f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x3578cc5ebd2af4d6f9698806df70a1f7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x33e6cdb5af6776a2fb52e46a62da25f8', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x38ebdb70969a80d5b4273d755931b4bd', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5cea0029431f1ca50fcc3209ccf19c38', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb83d6e81c25ce3a5301d10a45549ca0a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x46738d254bbb4acdc4fc6f92eeedf05a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8d920e5ece3b2add1c40bac4c0dc12cc', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7dc4d043c2ba9da8134a6ac765cfb778', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd459206f819c3accdbf931b4f3dc146d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x61dcc7654466cc12d33bf6bc65884b90', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe14bc28da0daba45ae0af61c85d5b746', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x16c80006eaa497ff123bbef94332ffe0', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x764fc9f118742b8889c56d518e784223', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe5509ade515f530f7ebe13ae3e1a3f66', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xeca2d1274e360c05042ebf206d9e20d9', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x795c668514b64c1eb7d73dc2cf1904eb', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb7df8bc8cb340ce0b636677e3e624a6a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc3ceec5fe2bc15241edb5b1352e827d6', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x89d0f128ef1945a52143c65a422c3de3', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x035557021ce41631e9eb7d0c8d1b8c3b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x04f6922bd937f2ee8f772dda51863380', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x98ee734747aa3fc342ce136c82af297e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x807725c822d2595b2b4a03f3a72389ef', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc396505264c856710c765250dbaebe87', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x642d1e8588c4415f8c9fdbb8335b3bab', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc16c9db5ae1b60eb1eef2e9b839be61d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa5aa5b9a092de976c60e0296c83882c7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x0e69176d5a6fb540285de69ed01ecbe8', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x358b754d0a16d58a2fe610fb84a10fe0', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc4fd4e7c0289044d1a9854423c099dad', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd2f26d5f36b7b1d6426b768a4d4b1aa1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5d62177977f975a4913c1917960f5d0a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xbefa7bc149c107edd3383f2533e3cb34', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x0bcc488b8f9047d7687ce736d58945cd', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5fdd35e70568bc9188e435bf70a62bfb', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x3cd27be24d6dfa62d02aba0953f975c3', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xde3bd4def3f278f313b05565faa6cf6b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xcf7b4dcf70f2ac07dc74a1c5501dafb2', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x332dfdc619d274bbb0d3e66b9bab247e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x23516b837abf77b8f2998618c7dca23f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x895ba13342e9a536f569b020710bb7be', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x0b9f6baff80aac13281ee04879aa4888', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb898598561bab39a98818bd193526463', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9e00da53ef21eaa9faa1c8c5bfb9e88e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5a51cfebb340db68f87051de73474275', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x973399b9023c61e54769b0ee0a365880', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x096f7dca73862139f33e0ad682ae3610', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x679227713ec59ef42ea4c3f05d468500', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xcb202dfce4d57cdff7ca909a11a76ec0', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd64497dd6eeedff6ac76368ef5423ff6', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9fdd771a86d5653e57b4ff8e45531c10', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8dfcd74cbf631afa250081ac43075ec8', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x18155cf1d193740f62e4f53071434cd7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xabc39be6e9526d3f8fe06b0a6e3c6ff1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x49d103f8ada0a15f53e993dac24b74a7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf6532ad4c1bd73ba1aa1595cb85bc858', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x073e0ae78e83ded499d9b3ff79d0d4f7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x919e751e6189d8251c714bf20106a510', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb7f5344950c32d48c6177e457aef73ee', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe4293398510f33294186350dfa29ce6e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xaf4a76bbe46e5e7e560d8969ca0b7b8f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x45cc9cf2d17364420c623a20c8b4e97d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd09ca2ff22f99591e44bffbfd0e38231', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb425bb486c0e6600338a681bc65062d0', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x2924ca4dac6ae71d2f6362510a41ddc6', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xba3c5c1d7105c424cd23c23f65ee0202', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x81163cd0c732509c2eca3ffe15c41c5e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x3bdcb1cc8c5afa92352894485aa200ab', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc4fff41b2251db83eb5f3929c9f577c4', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9050efd8733ffea6d1736cba66b5551e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa6b6d086874ff6f1ab534efdbbce6b4c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9fee2cbda81c3456e470c457f7b65caf', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x4c41b56b72674002c4839699ea09b7f0', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x67625b0ae969584fcbb3655be201a04e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xff1b8111a86bd233afdeedcb323e7854', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x955635efa3abcd85043c57b066845eda', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe421e51070c42134d93ac5384d6f4195', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x89df23f252665ef4fa80e80bb4f91897', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xdc7420569e961607d5214a741ffea939', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf04a34e668e7805f6d349b320ff57681', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x090d28176fbda08a1e2d22992901ccd5', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xfed625385f026302efcf9132b41cf300', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x22404f570220e4cdbf4014ad4e30f2ab', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x69c72cb186e4f8979ba8e316e0cb773a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x42e600fdae54e6c851c6145a98a3b251', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xf6765f86be7cb049fa0e9ec337f4c2f0', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x76657e8e16be450763f9cc90c04b96de', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x5afd86ba7de29fa58899c0efff0e38f6', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x35a4ca75d6b27f8e1336fbcd612c1c11', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6a1288cfce89cac19efb0962fcf689a0', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x077d4ca5732b9d84b82fa79aaef1236b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xff7b799b6fd54864892a72a8b893bb6f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xefcb9fb07029902eba2b26e12cbd24a4', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc84462336c3db523b7bdee352f340d7a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x38d36c414344b132aeaa3241779937af', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x38555e4002cd4b67a16d57bccf973b8d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x2e75e7e8bf66f58cdb8f5d993d6248b9', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xcd576a68737504c0c1b8d2a46970a219', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x32889c5afd3a2b229e26b013a167bcba', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xb373f4a3b0fedb6fe4e15d2b7b7ee86c', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x04f455ec45a3352b00b9c9eb0b0fb594', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xe82f4279676de032bccdc8f9c6f777d9', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x9bd0108eab9a28249ebffcbef7c96d2c', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x05dac09da77a5281690b938bde2b6a6e', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xaaa408b08ab88f3eb2cbe5c9a7d8966b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xefc7418134dd352705208ee5190981f8', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x859ec93310fe9e59d431582b92f5a96e', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x4a742d2af98f3964531c18ffff2b026e', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xa29e401d4a74c753e6a2957ecedf592a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x1f7daf8145bb5999cc7529c44b4ad112', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x335e678dc49b098d16101af2570a0a09', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x159ea4a0bccd0f3350d3b835b88c55c1', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x54bd2727bebf541fbbcf5171f7c9cdb5', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x9344a857972fd9121026416307a0b02a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x33cc04e9a54ef1cf004e370a97a86969', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x9706351d0eaf963f1456d01b09562652', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x8d75268e6f504b14b37a58053bd9e2e4', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xe81aae753100976034013b9c263bdfe2', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x0acac8db129dfa3874011a3630514455', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x0f17b11877d4ebd21b9392f54ce11a9f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x50aaf3a6d41b5c2871d7a60ec93bb22f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x8d0514caf62dbe107fe0cfd11556e961', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x3c4cc327360e8043ad868f825d3b797b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x423f6aadcf7ab7a1a141c416847c29a8', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x888d41fee4c14d0ced3724340ac1f589', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x9726a45752cd0458ef89c53e51a6e9fe', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x90c04eab382d3a1371da8de597470de8', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x16c2c2723b15b9afc16fce66563dfdb5', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xea119c9d245e5fe3166f900e0e74da03', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xa3968f719529441b8766bc65764e5d4c', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x7c226c3abb7b14fbd39b135d87893f2b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x8cd1b5169c4daedb1be402fac3f62c73', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x83141652b11ea3abc52872c9a69a049d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x047db448d64b48f39212c07403e736b8', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x486c6757d30e919db5da89db142ba460', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x08a5c47deed233816324e47b84461251', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x4317e960b2317783c535bc4a734c6236', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xd9d28ca3dd0c10a604f01a67add34874', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x3d15ca40eb93b9e8613b32fcaa52d965', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xb5a198fc1451505e751cf444db9004c6', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xd756999ced7fbb8dcc39a47acb252771', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x902dbbc21ab1a84f2a9660a016d49d25', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x94b2bb0a4f8fdc3ce990128964fa238a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x2417ac512a119393b11dba0a13a654f9', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xab2ffafabe739b67df4223eb10fe9417', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x126ce92d823d7e640fae80b6eb58e888', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x994507f7ba32905508cb93ca5e3f3b7c', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xccb2829add083087fd7fe21e96dc302b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x375198194b829dd83323b2509110c62a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x5036c632d175d546077f9ca5cecb321f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x5162aa0bc63ceae73d5b357750ac5958', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x843c8b208ee6c7663a412c57feee3628', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x03afc4f5c52c2c77a4e8dafa06dd29ed', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x78c4810c056096c2f490ac635d614f79', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x9364acf42135ad6c009409f166e9c1f7', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xb7be6932dc8388296fb5c1c97d14d5a8', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x09778d6a638c1fff30a89d81f265d7bc', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x5bd56e26000eca35646b494c253ea3fc', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x16f46654c891c610efd436556c6e8dfb', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc31edef3f59d17a711b4eeac83142863', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x51a1d6eb676406f5bd470dbf4ca133cd', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xf41fe8c719651a0a2bdcb3fe8599dd80', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x75fda97b09e77980d67bbf43e70479f9', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x5c0c551c2a9ce2f020a5029649445697', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x79e993fef4594c84305e8372c048b787', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xf268a69d5e5f5ba85d659bbe2b3ec6fd', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x4d471de073e1c35d65ba89ddddacc9e6', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x31011b5034b21050d1c86a60989498c4', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x4ef032eb8942f7f7fc804486f0e65a0a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xa3c69bc93b5e1b91cf3a487a7f43f946', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xcc7df7afd3ccae02bf3dc984879bcbbc', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xae2e224f33a22a7dd5c7b3f0647718bd', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x3d932f1aa36c1564d6a885067083d0c6', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x4a331604be704978ca16fe389ab6c2a3', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x9f2ea9b3d694ef137ed11667beef20d9', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x0a0b1ba872d272619b95cfb3ff0101aa', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x71c9df453ad6c06358a70ffca00d2534', 1700000238000);


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
-- Data for Name: ff_due; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_due VALUES (4, 1702592202000, 235, '018bcfe5-6800-7000-8000-000000000003');
INSERT INTO public.ff_due VALUES (3, 1700003834000, 2, '018bcfe5-6800-7000-8000-00000000000d');
INSERT INTO public.ff_due VALUES (2, 1700003836000, 176, '018bcfe5-6800-7000-8005-000000000003');
INSERT INTO public.ff_due VALUES (2, 1700003836000, 95, '018bcfe5-6800-7000-800a-000000000001');
INSERT INTO public.ff_due VALUES (2, 1700003836000, 126, '018bcfe5-6800-7000-800b-000000000001');
INSERT INTO public.ff_due VALUES (6, 1700003838000, 113, '018bcfe5-6800-7000-8000-00000000001c');
INSERT INTO public.ff_due VALUES (6, 1702592238000, 230, '018bcfe5-6800-7000-8000-00000000001d');
INSERT INTO public.ff_due VALUES (2, 1700003838000, 71, '018bcfe5-6800-7000-8000-000000000022');
INSERT INTO public.ff_due VALUES (2, 1700003838000, 114, '018bcfe5-6800-7000-8000-000000000024');
INSERT INTO public.ff_due VALUES (2, 1700003838000, 38, '018bcfe5-6800-7000-8000-000000000027');
INSERT INTO public.ff_due VALUES (0, 1700086638000, 86, '018bcfe5-6800-7000-8000-00000000002d');
INSERT INTO public.ff_due VALUES (3, 1700003838000, 48, '018bcfe5-6800-7000-8000-00000000002e');
INSERT INTO public.ff_due VALUES (3, 1700003838000, 59, '018bcfe5-6800-7000-8000-000000000030');
INSERT INTO public.ff_due VALUES (2, 1700003838000, 52, '018bcfe5-6800-7000-8000-000000000031');
INSERT INTO public.ff_due VALUES (2, 1700000239000, 7, '018bcfe5-6800-7000-8000-000000000032');
INSERT INTO public.ff_due VALUES (3, 1700000239000, 227, '018bcfe5-6800-7000-8000-000000000033');
INSERT INTO public.ff_due VALUES (0, 1700000239000, 44, '018bcfe5-6800-7000-8000-000000000034');


--
-- Data for Name: ff_edge; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f7-6910-7000-8001-6fa42e07d0aa', '018bcfe5-6800-7000-8001-000000000002', '018bcfe5-6800-7000-8001-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f7-6910-7000-8002-30fe148c75b8', '018bcfe5-6800-7000-8001-000000000003', '018bcfe5-6800-7000-8001-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f7-6914-7000-8001-1dddd6eb4c05', '018bcfe5-6800-7000-8002-000000000002', '018bcfe5-6800-7000-8002-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f7-6914-7000-8002-e05af6d62bf2', '018bcfe5-6800-7000-8002-000000000003', '018bcfe5-6800-7000-8002-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f7-691b-7000-8000-f9b2cc434c9d', '018bcfe5-6800-7000-8003-000000000001', '018bcfe5-6800-7000-8003-000000000004', 'left', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f7-691b-7000-8002-c344cc0f9b65', '018bcfe5-6800-7000-8003-000000000003', '018bcfe5-6800-7000-8003-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f7-691c-7000-8001-d79bb1f8fc23', '018bcfe5-6800-7000-8004-000000000002', '018bcfe5-6800-7000-8004-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f7-691c-7000-8002-d50ee0674f13', '018bcfe5-6800-7000-8004-000000000003', '018bcfe5-6800-7000-8004-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f7-6922-7000-8002-9b969653ae31', '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-8005-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f7-6910-7000-8000-742324fa412a', '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-8001-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f7-6914-7000-8000-c23d119d41ea', '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-8002-000000000004', 'left', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f7-691b-7000-8001-a6dbb4745fed', '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-8003-000000000004', 'right', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f7-691c-7000-8000-18975d6f7fea', '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-8004-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f7-6922-7000-8000-6bde1781d437', '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-8005-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f7-6922-7000-8001-48a4b1e7aee4', '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-8005-000000000004', 'right', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (95, '018bcfe5-6800-7000-80ff-00000000000a', '01a1f1f7-6958-7000-8000-e127e0215417', '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-800a-000000000002', 'before', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (126, '018bcfe5-6800-7000-80ff-00000000000b', '01a1f1f7-695e-7000-8000-e5386e323060', '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-800b-000000000002', 'before', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (211, '018bcfe5-6800-7000-80ff-000000000006', '01a1f1f7-694f-7000-8000-4e5816114662', '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-8006-000000000002', 'before', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (242, '018bcfe5-6800-7000-80ff-000000000007', '01a1f1f7-6953-7000-8000-9a9b2cd2e892', '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-8007-000000000002', 'before', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (29, '018bcfe5-6800-7000-80ff-000000000008', '01a1f1f7-6954-7000-8000-238e903074c0', '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-8008-000000000002', 'before', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', '01a1f1f7-6957-7000-8000-d489f922108f', '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-8009-000000000002', 'before', 1700000236000, 3, 0, 1700000236000);
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
-- Data for Name: ff_event; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (3, '786', 2, 'schedule_paused', 'default', 0, NULL, NULL, 1, '{"schedule":"paused","reason":"look first"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (4, '787', 2, 'schedule_paused', 'default', 0, NULL, NULL, 1, '{"schedule":"often","reason":"for a moment"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (5, '788', 2, 'schedule_resumed', 'default', 0, NULL, NULL, 2, '{"schedule":"often"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (6, '790', 2, 'schedule_changed', 'default', 0, NULL, NULL, 1, '{"schedule":"nightly"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (7, '791', 2, 'schedule_forgotten', 'default', 0, NULL, NULL, 1, '{"schedule":"gone"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (8, '793', 0, 'acquired', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (9, '794', 1, 'completed', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 2, NULL, 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (10, '796', 0, 'acquired', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (11, '797', 1, 'completed', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 2, NULL, 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (12, '799', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (13, '800', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700000203000}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (14, '803', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 3, '{"attempt_index":1,"lease_epoch":2,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000212000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (15, '804', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 4, '{"code":"smtp_down","next_attempt_index":2,"delay_until_ms":1700000214000}', 1700000212000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (16, '807', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 5, '{"attempt_index":2,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000222000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (17, '808', 1, 'failed', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 6, '{"code":"smtp_down"}', 1700000222000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (18, '811', 0, 'acquired', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (19, '812', 1, 'failed', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 2, '{"code":"bad_address"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (20, '814', 0, 'acquired', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (21, '816', 0, 'acquired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (22, '818', 0, 'expired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (23, '818', 1, 'failed', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 3, '{"code":"worker_lost"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (24, '819', 1, 'failed', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 2, '{"code":"attempt_timeout"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (25, '820', 1, 'expired', 'default', 213, '018bcfe5-6800-7000-8000-000000000008', NULL, 1, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (26, '823', 1, 'cancelled', 'default', 252, '018bcfe5-6800-7000-8000-000000000009', NULL, 1, '{"reason":"not wanted","source":"operator_override"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (27, '825', 0, 'acquired', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (28, '826', 0, 'revoked', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 2, '{"reason":"stop"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (29, '826', 1, 'cancelled', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 3, '{"reason":"stop","source":"application"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (30, '828', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (31, '829', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (32, '830', 2, 'replayed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0,"steps":"cleared","steps_kept":0,"from_step":null}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (33, '831', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 4, '{"attempt_index":0,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"replay"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (34, '832', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 5, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (35, '834', 0, 'acquired', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (36, '835', 0, 'released', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (37, '837', 0, 'acquired', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (38, '838', 0, 'released', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 2, '{"delay_until_ms":1700003834000}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (39, '840', 0, 'acquired', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (40, '841', 0, 'revoked', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 2, '{"reason":"drain"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (41, '843', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (42, '844', 0, 'expired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (43, '847', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (44, '848', 1, 'completed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (45, '849', 2, 'replayed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0,"steps":"cleared","steps_kept":0,"from_step":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (46, '851', 2, 'held', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 1, '{"reason":"look first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (47, '852', 2, 'unheld', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (48, '862', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (49, '863', 1, 'completed', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (50, '864', 0, 'acquired', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (51, '865', 1, 'failed', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (55, '869', 1, 'completed', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (52, '866', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (53, '867', 1, 'completed', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (54, '868', 0, 'acquired', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (56, '870', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (57, '871', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (58, '872', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (59, '873', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (60, '874', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (61, '881', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (63, '883', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (66, '885', 0, 'acquired', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (67, '886', 1, 'failed', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (68, '886', 1, 'skipped', 'default', 242, '018bcfe5-6800-7000-8007-000000000002', '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (69, '886', 1, 'flow_failed', 'default', 242, NULL, '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (70, '887', 0, 'acquired', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (76, '890', 0, 'acquired', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (77, '891', 2, 'flow_cancel_requested', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-000000000009","cancellation_policy":"cancel_all","reason":"enough","member_count":2}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (78, '891', 1, 'flow_cancelled', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (79, '891', 0, 'revoked', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 2, '{"reason":"enough"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (80, '891', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 3, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (81, '891', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000002', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (82, '892', 0, 'acquired', 'default', 95, '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (83, '893', 2, 'flow_cancel_requested', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000a","cancellation_policy":"cancel_pending","reason":"enough","member_count":1}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (84, '893', 1, 'flow_cancelled', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (85, '893', 1, 'cancelled', 'default', 95, '018bcfe5-6800-7000-800a-000000000002', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (86, '894', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (87, '895', 2, 'flow_cancel_requested', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000b","cancellation_policy":"flow_only","reason":"enough","member_count":0}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (88, '895', 1, 'flow_cancelled', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (89, '902', 2, 'lane_paused', 'default', 0, NULL, NULL, 1, '{"lane":"paused","reason":"provider is down"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (90, '904', 2, 'lane_paused', 'default', 0, NULL, NULL, 1, '{"lane":"resumed","reason":"for a moment"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (91, '905', 2, 'lane_resumed', 'default', 0, NULL, NULL, 2, '{"lane":"resumed","paused_since_ms":1700000236000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (92, '907', 2, 'lane_paused', 'tenant-a', 0, NULL, NULL, 1, '{"lane":"default","reason":""}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (93, '910', 0, 'acquired', 'default', 232, '018bcfe5-6800-7000-8000-000000000015', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (95, '916', 0, 'acquired', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (96, '917', 0, 'suspended', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (97, '918', 3, 'delivered', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 3, '{"key":"editor","name":"verdict","signal_id":"ec539b12-4e16-85e9-aab8-51e15376c0bb","waitpoint_id":"102ffe25-865c-8d4d-a360-d9d550ef8295","source_identity":"bob","effect":"resumed"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (98, '918', 3, 'resumed', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 4, '{"name":"wait","cause":"signal"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (99, '919', 3, 'delivered', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 5, '{"key":"typo","name":"","signal_id":"3cc23c44-5ee5-8a57-815d-155b817dd459","waitpoint_id":"d6b1e452-8684-8fb8-ad99-e6a48c260717","source_identity":"","effect":"buffered"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (100, '920', 0, 'acquired', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 6, '{"attempt_index":0,"lease_epoch":2,"worker_instance_id":"worker-1/a","claim_type":"resume"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (101, '922', 1, 'completed', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 7, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (102, '924', 0, 'acquired', 'default', 147, '018bcfe5-6800-7000-8000-000000000017', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (103, '925', 0, 'suspended', 'default', 147, '018bcfe5-6800-7000-8000-000000000017', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":1700000237000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (104, '927', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8000-000000000018', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (105, '928', 0, 'suspended', 'default', 211, '018bcfe5-6800-7000-8000-000000000018', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":1700000237000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (106, '930', 0, 'acquired', 'default', 20, '018bcfe5-6800-7000-8000-000000000019', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (107, '931', 0, 'suspended', 'default', 20, '018bcfe5-6800-7000-8000-000000000019', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":1700000237000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (108, '932', 2, 'escalated', 'default', 20, '018bcfe5-6800-7000-8000-000000000019', NULL, 3, '{"name":"wait"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (62, '882', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (64, '884', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (65, '884', 1, 'flow_completed', 'default', 211, NULL, '018bcfe5-6800-7000-80ff-000000000006', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (71, '888', 1, 'failed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (72, '888', 1, 'skipped', 'default', 29, '018bcfe5-6800-7000-8008-000000000002', '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (73, '888', 1, 'flow_failed', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (74, '889', 2, 'flow_reopened', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (75, '889', 2, 'replayed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"failed","previous_attempt":0,"steps":"kept","steps_kept":0,"from_step":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (94, '912', 0, 'suspended', 'default', 232, '018bcfe5-6800-7000-8000-000000000015', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (112, '936', 0, 'suspended', 'default', 220, '018bcfe5-6800-7000-8000-00000000001a', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (113, '937', 1, 'cancelled', 'default', 220, '018bcfe5-6800-7000-8000-00000000001a', NULL, 3, '{"reason":"not wanted","source":"operator_override"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (121, '948', 0, 'suspended', 'default', 230, '018bcfe5-6800-7000-8000-00000000001d', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":1702592238000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (123, '951', 0, 'suspended', 'default', 75, '018bcfe5-6800-7000-8000-00000000001e', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (124, '952', 3, 'delivered', 'default', 75, '018bcfe5-6800-7000-8000-00000000001e', NULL, 3, '{"key":"editor","name":"","signal_id":"f7ad4497-4d10-8086-b6a3-bf1e6367057d","waitpoint_id":"69b82615-af51-82e6-af9a-33d31d65e0c3","source_identity":"","effect":"resumed"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (125, '952', 3, 'resumed', 'default', 75, '018bcfe5-6800-7000-8000-00000000001e', NULL, 4, '{"name":"wait","cause":"signal"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (132, '963', 3, 'delivered', 'default', 118, '018bcfe5-6800-7000-8000-000000000021', NULL, 1, '{"key":"editor","name":"","signal_id":"bcf4207f-10bd-8890-af86-60216dcc00ba","waitpoint_id":"b7d6c052-14c4-80d4-bb90-54baa297f88b","source_identity":"","effect":"buffered"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (139, '974', 1, 'completed', 'default', 161, 'ae61f511-0000-83ac-9b1c-faa745fcb0f5', NULL, 2, NULL, 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (141, '977', 1, 'failed', 'default', 161, 'ae61f511-0001-8c26-8855-c8ccae7f4945', NULL, 2, '{"code":"not_found"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (143, '979', 2, 'limit_set', 'default', 0, NULL, NULL, 0, '{"limit":"provider","concurrency":1,"rate":null,"per_ms":60000,"burst":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (154, '1000', 2, 'budget_exceeded', 'default', 0, NULL, NULL, 0, '{"budget":"trial","dimension":"usd","used":5,"limit":5}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (155, '1001', 0, 'revoked', 'default', 221, '018bcfe5-6800-7000-8000-000000000028', NULL, 2, '{"reason":"enough"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (156, '1001', 1, 'cancelled', 'default', 221, '018bcfe5-6800-7000-8000-000000000028', NULL, 3, '{"reason":"enough","source":"operator_override"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (160, '1019', 0, 'retry_scheduled', 'default', 59, '018bcfe5-6800-7000-8000-000000000030', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700003838000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (109, '932', 3, 'resumed', 'default', 147, '018bcfe5-6800-7000-8000-000000000017', NULL, 3, '{"name":"wait","cause":"timeout"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (110, '932', 1, 'failed', 'default', 211, '018bcfe5-6800-7000-8000-000000000018', NULL, 3, '{"code":"wait_timeout"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (111, '935', 0, 'acquired', 'default', 220, '018bcfe5-6800-7000-8000-00000000001a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (114, '939', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-00000000001b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (115, '940', 0, 'suspended', 'default', 38, '018bcfe5-6800-7000-8000-00000000001b', NULL, 2, '{"names":["wait"],"keys":["vote"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (116, '941', 3, 'delivered', 'default', 38, '018bcfe5-6800-7000-8000-00000000001b', NULL, 3, '{"key":"vote","name":"","signal_id":"801e95c4-001d-8318-8da4-e08cec0cfacb","waitpoint_id":"c5ec335f-74ec-8eb0-b37c-634a47ff76fe","source_identity":"ann","effect":"counted"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (117, '942', 3, 'delivered', 'default', 38, '018bcfe5-6800-7000-8000-00000000001b', NULL, 4, '{"key":"vote","name":"","signal_id":"8e3c3e48-f015-83e3-a4dc-02e1071862a9","waitpoint_id":"c5ec335f-74ec-8eb0-b37c-634a47ff76fe","source_identity":"ann","effect":"buffered"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (118, '944', 0, 'acquired', 'default', 113, '018bcfe5-6800-7000-8000-00000000001c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (119, '945', 0, 'suspended', 'default', 113, '018bcfe5-6800-7000-8000-00000000001c', NULL, 2, '{"names":["wait"],"keys":[],"timeout_at_ms":1700003838000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (120, '947', 0, 'acquired', 'default', 230, '018bcfe5-6800-7000-8000-00000000001d', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (122, '950', 0, 'acquired', 'default', 75, '018bcfe5-6800-7000-8000-00000000001e', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (126, '954', 0, 'acquired', 'default', 104, '018bcfe5-6800-7000-8000-00000000001f', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (127, '955', 0, 'suspended', 'default', 104, '018bcfe5-6800-7000-8000-00000000001f', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (128, '956', 2, 'held', 'default', 104, '018bcfe5-6800-7000-8000-00000000001f', NULL, 3, '{"reason":"ask first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (129, '958', 0, 'acquired', 'default', 103, '018bcfe5-6800-7000-8000-000000000020', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (130, '959', 0, 'suspended', 'default', 103, '018bcfe5-6800-7000-8000-000000000020', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (131, '961', 2, 'waitpoint_closed', 'default', 103, '018bcfe5-6800-7000-8000-000000000020', NULL, 3, '{"key":"editor","waitpoint_id":"8b0dc052-7814-8089-8c1f-5e74666d06bb","reason":"the editor has left"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (133, '965', 0, 'acquired', 'default', 71, '018bcfe5-6800-7000-8000-000000000022', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (134, '968', 3, 'delivered', 'default', 71, '018bcfe5-6800-7000-8000-000000000022', NULL, 2, '{"key":"a","name":"","signal_id":"efd90080-2a2d-855a-aea4-5d26c4934fbc","waitpoint_id":"6b8b62a3-a64d-8a8f-bee3-b6fdcb08930d","source_identity":"","effect":"resumed"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (135, '968', 3, 'resumed', 'default', 71, '018bcfe5-6800-7000-8000-000000000022', NULL, 3, '{"name":"first","cause":"signal"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (136, '970', 0, 'acquired', 'default', 161, '018bcfe5-6800-7000-8000-000000000023', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (137, '972', 0, 'suspended', 'default', 161, '018bcfe5-6800-7000-8000-000000000023', NULL, 2, '{"names":["pages"],"keys":[],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (138, '973', 0, 'acquired', 'default', 161, 'ae61f511-0000-83ac-9b1c-faa745fcb0f5', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (140, '976', 0, 'acquired', 'default', 161, 'ae61f511-0001-8c26-8855-c8ccae7f4945', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (142, '978', 3, 'resumed', 'default', 161, '018bcfe5-6800-7000-8000-000000000023', NULL, 3, '{"name":"pages","cause":"children"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (144, '980', 2, 'limit_set', 'default', 0, NULL, NULL, 0, '{"limit":"provider","key":"large","concurrency":3,"rate":null,"per_ms":60000,"burst":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (145, '981', 2, 'limit_set', 'default', 0, NULL, NULL, 0, '{"limit":"calls","concurrency":null,"rate":1,"per_ms":3600000,"burst":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (146, '982', 2, 'limit_paused', 'default', 0, NULL, NULL, 0, '{"limit":"calls","key":"","until_ms":1700000298000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (147, '983', 2, 'budget_set', 'default', 0, NULL, NULL, 0, '{"budget":"company","limits":{"tokens":1000,"usd":100},"soft_limits":{"usd":50},"period":null,"timezone":null,"parent":null,"on_exceeded":"pause"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (148, '984', 2, 'budget_set', 'default', 0, NULL, NULL, 0, '{"budget":"team","limits":{"usd":20},"soft_limits":{},"period":null,"timezone":null,"parent":"company","on_exceeded":"cancel"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (149, '985', 2, 'budget_set', 'default', 0, NULL, NULL, 0, '{"budget":"trial","limits":{"usd":5},"soft_limits":{},"period":"month","timezone":"UTC","parent":null,"on_exceeded":"pause"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (150, '986', 2, 'budget_charged', 'default', 0, NULL, NULL, 0, '{"budget":"company","amounts":{"usd":7},"reason":"carried over"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (151, '988', 0, 'acquired', 'default', 114, '018bcfe5-6800-7000-8000-000000000024', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (152, '996', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000027', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (153, '999', 0, 'acquired', 'default', 221, '018bcfe5-6800-7000-8000-000000000028', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (157, '1010', 2, 'priority_changed', 'default', 86, '018bcfe5-6800-7000-8000-00000000002b', NULL, 1, '{"old_priority":0,"new_priority":7}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (158, '1016', 2, 'held', 'default', 239, '018bcfe5-6800-7000-8000-00000000002f', NULL, 1, '{"reason":"ask first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (159, '1018', 0, 'acquired', 'default', 59, '018bcfe5-6800-7000-8000-000000000030', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (161, '1021', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8000-000000000031', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (162, '1026', 0, 'acquired', 'default', 7, '018bcfe5-6800-7000-8000-000000000032', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);


--
-- Data for Name: ff_exec_core; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_exec_core VALUES (163, '018bcfe5-6800-7000-8000-000000000007', 'default', 'lost', NULL, 'mail', 0, '{"max_interruptions":0}', NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 2, 0, 1, 0, 3, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000234000, NULL, NULL, NULL, NULL, 'worker_lost', 'interrupted once; the policy allows 0', NULL, NULL, 0, '1.f7ee40c4d2a3', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (123, '018bcfe5-6800-7000-8000-000000000006', 'default', 'timed-out', NULL, 'mail', 0, '{"attempt_timeout_ms":1000}', NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 2, 0, 0, 0, 2, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000234000, NULL, NULL, NULL, NULL, 'attempt_timeout', 'the attempt ran longer than 1000 ms', NULL, NULL, 0, '1.c959dc6c13ed', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (32, '018bcfe6-eea0-7643-9758-4c28ba83a61e', 'default', 'reports', NULL, 'report', 0, NULL, NULL, 1700000202000, '{"schedule.name":"often","schedule.slot":"2023-11-14T22:15:00.000Z"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (32, '018bcfe7-d900-765f-8002-33b1d051c5b2', 'default', 'reports', NULL, 'report', 0, NULL, NULL, 1700000202000, '{"schedule.name":"often","schedule.slot":"2023-11-14T22:16:00.000Z"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (194, '018bcfe5-6800-7000-8000-000000000002', 'default', 'completed', NULL, 'mail', 0, NULL, 'order-1', 1700000202000, '{"order.id":"1","team.name":"ü\n{}"}', 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000202000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.25447acdf72c', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 'default', 'failed', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000202000, NULL, 3, 8, 5, 2, 8, 0, 2, 3, 2, 0, 0, 6, 1700000214000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000222000, NULL, NULL, NULL, NULL, 'smtp_down', 'no answer', NULL, NULL, 0, '3.cfdee8e46d77', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (235, '018bcfe5-6800-7000-8000-000000000003', 'default', 'completed-without-a-result', NULL, 'mail', 0, '{"retention_ms":2592000000}', NULL, 1700000202000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000202000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.239668692c77', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (160, '018bcfe5-6800-7000-8000-000000000005', 'default', 'failed-for-good-at-once', NULL, 'mail', 0, NULL, NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000232000, NULL, NULL, NULL, NULL, 'bad_address', '', NULL, NULL, 0, '1.2546257d5e24', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (78, '018bcfe5-6800-7000-8000-00000000000a', 'default', 'cancelled-while-it-ran', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, 1700000234000, NULL, NULL, 'stop', 'application', NULL, NULL, NULL, NULL, 0, '1.4c9c75d701ba', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (69, '018bcfe5-6800-7000-8000-00000000000b', 'default', 'completed-twice', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 3, 8, 5, 1, 7, 0, 0, 3, 0, 0, 1, 5, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '3.260713de7f9d', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (164, '018bcfe5-6800-7000-8000-00000000000c', 'default', 'released', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.e953fceb407e', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (2, '018bcfe5-6800-7000-8000-00000000000d', 'default', 'put-off', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 1, 2, 0, 1, 0, 0, 1, 0, 0, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, 1700003834000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.20833411ddd2', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (213, '018bcfe5-6800-7000-8000-000000000008', 'default', 'expired', NULL, 'mail', 0, NULL, NULL, 1700000232000, NULL, 3, 8, 5, 4, 10, 0, 0, 0, 0, 0, 0, 1, 1700000232000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, 1700000233000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (252, '018bcfe5-6800-7000-8000-000000000009', 'default', 'cancelled', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, 'not wanted', 'operator_override', NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000002', 'default', 'quorum-b', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000003', 'default', 'quorum-c', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'c', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000004', 'default', 'quorum-d', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'd', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000001', 'default', 'quorum-a', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.8ec3bfdbe9f5', 1308498060593631794, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000001', 'default', 'quorum-let-run-a', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.62eff806faa6', 1308498060593631794, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000002', 'default', 'quorum-let-run-b', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.da9cb267e4bb', 1308498060593631794, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000004', 'default', 'quorum-let-run-d', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'd', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000003', 'default', 'quorum-let-run-c', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.8f9b78646bca', 1308498060593631794, 'c', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000001', 'default', 'all-of-a', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.1f04f54f6ad8', 1308498060593631794, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (195, '018bcfe5-6800-7000-8000-00000000000e', 'default', 'revoked', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.17acde33e9cb', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8000-00000000000f', 'default', 'interrupted', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.a839013fcfa4', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000001', 'default', 'any-of-a', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, 'boom', '', NULL, NULL, 0, '1.e9f548949660', 1308498060593631794, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-8000-000000000010', 'default', 'replayed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 1, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.056bb8b6e524', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8000-000000000011', 'default', 'held-and-let-go', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000002', 'default', 'all-of-b', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000003', 'default', 'all-of-c', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'c', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000004', 'default', 'all-of-d', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'd', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000002', 'default', 'any-of-b', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000003', 'default', 'any-of-c', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'c', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000004', 'default', 'any-of-d', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'd', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000001', 'default', 'any-of-let-run-a', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000003', 'default', 'any-of-let-run-c', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'c', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (208, '018bcfe5-6800-7000-8063-000000000001', 'default', 'by-hand-a', '018bcfe5-6800-7000-80ff-000000000063', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000002', 'default', 'any-of-let-run-b', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.de547326f591', 1308498060593631794, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000004', 'default', 'any-of-let-run-d', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'd', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-800b-000000000002', 'default', 'flow-only-b', '018bcfe5-6800-7000-80ff-00000000000b', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (60, '018bcfe5-6800-7000-8009-000000000001', 'default', 'cancelled-flow-a', '018bcfe5-6800-7000-80ff-000000000009', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, '1.57960e01c917', 1308498060593631794, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (29, '018bcfe5-6800-7000-8008-000000000002', 'default', 'reopened-flow-b', '018bcfe5-6800-7000-80ff-000000000008', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 5, 11, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (60, '018bcfe5-6800-7000-8009-000000000002', 'default', 'cancelled-flow-b', '018bcfe5-6800-7000-80ff-000000000009', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (29, '018bcfe5-6800-7000-8008-000000000001', 'default', 'reopened-flow-a', '018bcfe5-6800-7000-80ff-000000000008', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 1, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.929f2f6ab5af', 1308498060593631794, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (95, '018bcfe5-6800-7000-800a-000000000001', 'default', 'cancelled-pending-a', '018bcfe5-6800-7000-80ff-00000000000a', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.4117237e65f4', 1308498060593631794, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (95, '018bcfe5-6800-7000-800a-000000000002', 'default', 'cancelled-pending-b', '018bcfe5-6800-7000-80ff-00000000000a', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-800b-000000000001', 'default', 'flow-only-a', '018bcfe5-6800-7000-80ff-00000000000b', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.36a16418550a', 1308498060593631794, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (208, '018bcfe5-6800-7000-8063-000000000002', 'default', 'by-hand-b', '018bcfe5-6800-7000-80ff-000000000063', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (132, '018bcfe5-6800-7000-8000-000000000012', 'default', 'paused', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (56, '018bcfe5-6800-7000-8000-000000000013', 'default', 'resumed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (81, '018bcfe5-6800-7000-8000-000000000016', 'default', 'completed-after-a-wait', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 2, 0, 0, 0, 7, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '2.0a91032c62d3', 1308498060593631794, NULL, NULL, '{"signals":2}', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8006-000000000001', 'default', 'completed-flow-a', '018bcfe5-6800-7000-80ff-000000000006', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.43ee21640661', 1308498060593631794, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8006-000000000002', 'default', 'completed-flow-b', '018bcfe5-6800-7000-80ff-000000000006', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.e479c1980f64', 1308498060593631794, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (242, '018bcfe5-6800-7000-8007-000000000002', 'default', 'failed-flow-b', '018bcfe5-6800-7000-80ff-000000000007', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 5, 11, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (242, '018bcfe5-6800-7000-8007-000000000001', 'default', 'failed-flow-a', '018bcfe5-6800-7000-80ff-000000000007', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, 'boom', '', NULL, NULL, 0, '1.3faf90c7392f', 1308498060593631794, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (63, '018bcfe5-6800-7000-8000-000000000014', 'tenant-a', 'of-a-tenant', NULL, 'mail', 0, NULL, NULL, 1700000236000, '{"team.name":"a"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (232, '018bcfe5-6800-7000-8000-000000000015', 'default', 'waiting-for-an-editor', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.5479a29137bd', 1308498060593631794, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000236000,"reason":"an editor reads it","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000236000}}', 1700000236000, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8000-000000000018', 'default', 'failed-by-the-timeout-of-a-wait', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000238000, NULL, NULL, NULL, NULL, 'wait_timeout', 'nothing ended the wait ''wait'' in time', NULL, NULL, 0, '1.f21cbc3b160e', 1308498060593631794, NULL, NULL, '{}', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (20, '018bcfe5-6800-7000-8000-000000000019', 'default', 'escalated', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.46687395a332', 1308498060593631794, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000236000,"on_timeout":"escalate","reason":"waiting_for_signal","is_escalated":true,"lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000236000}}', 1700000236000, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (147, '018bcfe5-6800-7000-8000-000000000017', 'default', 'resumed-by-its-timeout', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 7, 0, 6, 0, 0, 1, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.2a1fc01efe43', 1308498060593631794, NULL, NULL, '{"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000236000}}', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (220, '018bcfe5-6800-7000-8000-00000000001a', 'default', 'cancelled-while-it-waited', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 4, 8, 6, 3, 9, 0, 0, 1, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, 1700000238000, NULL, NULL, 'not wanted', 'operator_override', NULL, NULL, NULL, NULL, 0, '1.458d101064f7', 1308498060593631794, NULL, NULL, '{}', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (230, '018bcfe5-6800-7000-8000-00000000001d', 'default', 'waiting-with-a-timeout', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.e08268e1906a', 1308498060593631794, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000238000,"timeout_at_ms":1702592238000,"on_timeout":"cancel","reason":"waiting_for_signal","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', 1700000238000, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (75, '018bcfe5-6800-7000-8000-00000000001e', 'default', 'resumable', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 7, 0, 6, 0, 0, 1, 0, 0, 0, 4, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.df098684de87', 1308498060593631794, NULL, NULL, '{"signals":1,"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8000-000000000021', 'default', 'signalled-before-it-waits', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, '{"signals":1}', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (221, '018bcfe5-6800-7000-8000-000000000028', 'default', 'spender', NULL, 'mail', 2, NULL, NULL, 1700000238000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, 1700000238000, NULL, NULL, 'enough', 'operator_override', NULL, NULL, NULL, NULL, 0, '1.725dba66c354', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, '{"budgets":[["trial",{}]],"has_spent":true}', 0);
INSERT INTO public.ff_exec_core VALUES (157, '018bcfe5-6800-7000-8000-000000000029', 'default', 'behind-a-budget', NULL, 'mail', 2, NULL, NULL, 1700000238000, NULL, 0, 3, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, '{"budgets":[["trial",{}]],"parked":["budget","trial",""]}', 0);
INSERT INTO public.ff_exec_core VALUES (224, '018bcfe5-6800-7000-8000-00000000002a', 'default', 'behind-a-pause', NULL, 'mail', 2, NULL, NULL, 1700000238000, NULL, 0, 4, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, '{"limits":[["calls",""]],"parked":["limit","calls",""]}', 0);
INSERT INTO public.ff_exec_core VALUES (38, '018bcfe5-6800-7000-8000-00000000001b', 'default', 'waiting-for-votes', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 4, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.5c62b164d4b1', 1308498060593631794, NULL, NULL, '{"signals":2,"waits":[{"name":"wait","condition":"{\"at_least\":2,\"of\":[\"vote\"],\"distinct\":\"sources\"}","since_ms":1700000238000,"reason":"waiting_for_signal","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', 1700000238000, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (113, '018bcfe5-6800-7000-8000-00000000001c', 'default', 'sleeping', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.b5430510ab83', 1308498060593631794, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"operator_only\":true}","since_ms":1700000238000,"timeout_at_ms":1700003838000,"reason":"sleeping","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', 1700000238000, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (104, '018bcfe5-6800-7000-8000-00000000001f', 'default', 'suspended-and-held', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.8c5ecc76bf9d', 1308498060593631794, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000238000,"reason":"waiting_for_signal","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000},"held":true}', 1700000238000, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (103, '018bcfe5-6800-7000-8000-000000000020', 'default', 'waiting-at-a-closed-waitpoint', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.06e22792a9c4', 1308498060593631794, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000238000,"reason":"waiting_for_signal","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', 1700000238000, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (161, 'ae61f511-0001-8c26-8855-c8ccae7f4945', 'default', 'child-1', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, 'not_found', '', NULL, NULL, 0, '1.f3d93bd5124a', 1308498060593631794, NULL, NULL, NULL, NULL, '018bcfe5-6800-7000-8000-000000000023', '{"group":"pages","index":1,"life":0,"depth":1}', NULL, 0);
INSERT INTO public.ff_exec_core VALUES (161, '018bcfe5-6800-7000-8000-000000000023', 'default', 'parent', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 7, 0, 6, 0, 0, 1, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.1935f93974c5', 1308498060593631794, NULL, NULL, '{"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000},"children":3,"groups":[{"name":"pages","total":3,"kinds":"c6f6325f4b108367","succeeded":1,"failed":1}]}', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (161, 'ae61f511-0000-83ac-9b1c-faa745fcb0f5', 'default', 'child-0', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.039599bec592', 1308498060593631794, NULL, NULL, NULL, NULL, '018bcfe5-6800-7000-8000-000000000023', '{"group":"pages","index":0,"life":0,"depth":1}', NULL, 0);
INSERT INTO public.ff_exec_core VALUES (71, '018bcfe5-6800-7000-8000-000000000022', 'default', 'lingering', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 3, 1700000238000, 'worker-1', 'worker-1/a', 3600000, 1700003838000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.e5a9494c5aae', 1308498060593631794, NULL, NULL, '{"signals":1,"waits":[{"name":"second","condition":"{\"on\":\"b\"}","since_ms":1700000238000,"reason":"waiting_for_signal","lease_epoch":1}],"unanswered":["first"]}', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (161, 'ae61f511-0002-8c83-9a73-9f63983ab060', 'default', 'child-2', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, '018bcfe5-6800-7000-8000-000000000023', '{"group":"pages","index":2,"life":0,"depth":1}', NULL, 0);
INSERT INTO public.ff_exec_core VALUES (114, '018bcfe5-6800-7000-8000-000000000024', 'default', 'under-a-limit', NULL, 'mail', 1, NULL, NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000238000, 'worker-1', 'worker-1/a', 3600000, 1700003838000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.8a91185a4039', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, '{"limits":[["provider","small"]],"budgets":[["team",{"usd":2}]],"fair_key":"a","turn":1,"reservations":[{"budget":"team","chain":[["team",0],["company",0]],"amounts":{"usd":4}}],"has_spent":true}', 1);
INSERT INTO public.ff_exec_core VALUES (56, '018bcfe5-6800-7000-8000-000000000025', 'default', 'behind-a-limit', NULL, 'mail', 1, NULL, NULL, 1700000238000, NULL, 0, 4, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, '{"limits":[["provider","small"]],"budgets":[["team",{"usd":2}]],"fair_key":"a","turn":1,"parked":["limit","provider","small"]}', 1);
INSERT INTO public.ff_exec_core VALUES (40, '018bcfe5-6800-7000-8000-000000000026', 'default', 'behind-a-limit,-in-another-turn', NULL, 'mail', 1, NULL, NULL, 1700000238000, NULL, 0, 4, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, '{"limits":[["provider","small"]],"budgets":[["team",{"usd":2}]],"fair_key":"b","turn":1,"parked":["limit","provider","small"]}', 1);
INSERT INTO public.ff_exec_core VALUES (38, '018bcfe5-6800-7000-8000-000000000027', 'default', 'in-a-block', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000238000, 'worker-1', 'worker-1/a', 3600000, 1700003838000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.b6f7086b9760', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, '{"blocks":[["provider","large",1]]}', 0);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-00000000002b', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000238000, '{"order.id":"2"}', 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 1, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-00000000002c', 'default', 'default', NULL, 'mail', 3, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (239, '018bcfe5-6800-7000-8000-00000000002f', 'default', 'held', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (7, '018bcfe5-6800-7000-8000-000000000032', 'default', 'active-with-an-expired-lease', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000238000, 'worker-1', 'worker-1/a', 1000, 1700000239000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.fa0fc764b28a', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (44, '018bcfe5-6800-7000-8000-000000000034', 'default', 'past-its-deadline', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000239000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-0000000003e7', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-00000000002d', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700086638000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (48, '018bcfe5-6800-7000-8000-00000000002e', 'default', 'delayed', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700003838000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (59, '018bcfe5-6800-7000-8000-000000000030', 'default', 'waiting-for-its-retry', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000238000, NULL, 0, 1, 3, 0, 1, 0, 0, 1, 1, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, 1700003838000, NULL, NULL, NULL, 'smtp_down', '', NULL, NULL, 0, '1.c3e7024280ce', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8000-000000000031', 'default', 'active', NULL, 'print', 0, '{"attempt_timeout_ms":7200000}', NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000238000, 'worker-1', 'worker-1/a', 3600000, 1700003838000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 40, 'half way', 0, '1.d5a507f47d5e', 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (227, '018bcfe5-6800-7000-8000-000000000033', 'default', 'delayed-and-due', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000239000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1308498060593631794, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);


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
INSERT INTO public.ff_failure VALUES (59, '018bcfe5-6800-7000-8000-000000000030', 0, 1, 'smtp_down', '', NULL);


--
-- Data for Name: ff_flow_cancel; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_flow_cancel VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', '["018bcfe5-6800-7000-8009-000000000001","018bcfe5-6800-7000-8009-000000000002"]');
INSERT INTO public.ff_flow_cancel VALUES (95, '018bcfe5-6800-7000-80ff-00000000000a', '["018bcfe5-6800-7000-800a-000000000002"]');
INSERT INTO public.ff_flow_cancel VALUES (126, '018bcfe5-6800-7000-80ff-00000000000b', '[]');


--
-- Data for Name: ff_flow_core; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_flow_core VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', 'default', 'all-of', 1700000236000, '{"order.id":"1"}', 1, 1, 4, 3, 3, 0, 0, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (29, '018bcfe5-6800-7000-80ff-000000000008', 'default', 'reopened-flow', 1700000236000, '{"order.id":"8"}', 1, 1, 2, 1, 1, 1, 2, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', 'default', 'any-of', 1700000236000, '{"order.id":"2"}', 1, 1, 4, 3, 3, 0, 0, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', 'default', 'any-of-let-run', 1700000236000, '{"order.id":"3"}', 1, 1, 4, 3, 3, 0, 0, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', 'default', 'cancelled-flow', 1700000236000, '{"order.id":"9"}', 4, 1, 2, 1, 0, 1, 2, NULL, 1700000236000, 1700000236000, 1700000236000, 'enough', 0, NULL);
INSERT INTO public.ff_flow_core VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', 'default', 'quorum', 1700000236000, '{"order.id":"4"}', 1, 1, 4, 3, 3, 0, 0, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (95, '018bcfe5-6800-7000-80ff-00000000000a', 'default', 'cancelled-pending', 1700000236000, '{"order.id":"10"}', 4, 1, 2, 1, 1, 1, 2, NULL, 1700000236000, 1700000236000, NULL, 'enough', 1, NULL);
INSERT INTO public.ff_flow_core VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', 'default', 'quorum-let-run', 1700000236000, '{"order.id":"5"}', 1, 1, 4, 3, 2, 0, 0, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (126, '018bcfe5-6800-7000-80ff-00000000000b', 'default', 'flow-only', 1700000236000, '{"order.id":"11"}', 4, 1, 2, 1, 2, 0, 2, NULL, 1700000236000, 1700000236000, NULL, 'enough', 2, NULL);
INSERT INTO public.ff_flow_core VALUES (211, '018bcfe5-6800-7000-80ff-000000000006', 'default', 'completed-flow', 1700000236000, '{"order.id":"6"}', 2, 1, 2, 1, 0, 0, 1, NULL, 1700000236000, 1700000236000, 1700000236000, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (242, '018bcfe5-6800-7000-80ff-000000000007', 'default', 'failed-flow', 1700000236000, '{"order.id":"7"}', 3, 1, 2, 1, 0, 1, 1, NULL, 1700000236000, 1700000236000, 1700000236000, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (208, '018bcfe5-6800-7000-80ff-000000000063', 'default', 'by-hand', 1700000236000, '{"team.name":"a"}', 0, 3, 2, 1, 2, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL);


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
-- Data for Name: ff_ledger; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_ledger VALUES (114, '018bcfe5-6800-7000-8000-000000000024', 'default', 'company', 0, 1699920000000, '{"usd":3}');
INSERT INTO public.ff_ledger VALUES (114, '018bcfe5-6800-7000-8000-000000000024', 'default', 'team', 0, 1699920000000, '{"usd":3}');
INSERT INTO public.ff_ledger VALUES (221, '018bcfe5-6800-7000-8000-000000000028', 'default', 'trial', 1698796800000, 1699920000000, '{"usd":5}');


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

INSERT INTO public.ff_meta VALUES ('store', 'postgres-af230b60603e-ad1424');
INSERT INTO public.ff_meta VALUES ('purged', '780:779:2');


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
INSERT INTO public.ff_payload VALUES (114, '018bcfe5-6800-7000-8000-000000000024', '\x756e6465722061206c696d6974');
INSERT INTO public.ff_payload VALUES (56, '018bcfe5-6800-7000-8000-000000000025', '\x626568696e642061206c696d6974');
INSERT INTO public.ff_payload VALUES (40, '018bcfe5-6800-7000-8000-000000000026', '\x626568696e642061206c696d69742c20696e20616e6f74686572207475726e');
INSERT INTO public.ff_payload VALUES (38, '018bcfe5-6800-7000-8000-000000000027', '\x696e206120626c6f636b');
INSERT INTO public.ff_payload VALUES (221, '018bcfe5-6800-7000-8000-000000000028', '\x7370656e646572');
INSERT INTO public.ff_payload VALUES (157, '018bcfe5-6800-7000-8000-000000000029', '\x626568696e64206120627564676574');
INSERT INTO public.ff_payload VALUES (224, '018bcfe5-6800-7000-8000-00000000002a', '\x626568696e642061207061757365');
INSERT INTO public.ff_payload VALUES (86, '018bcfe5-6800-7000-8000-00000000002b', '\x77616974696e67');
INSERT INTO public.ff_payload VALUES (86, '018bcfe5-6800-7000-8000-0000000003e7', '\x6b657074');
INSERT INTO public.ff_payload VALUES (86, '018bcfe5-6800-7000-8000-00000000002c', '\x77616974696e6720666f72206120677075');
INSERT INTO public.ff_payload VALUES (86, '018bcfe5-6800-7000-8000-00000000002d', '\x77616974696e672077697468206120646561646c696e65');
INSERT INTO public.ff_payload VALUES (48, '018bcfe5-6800-7000-8000-00000000002e', '\x64656c61796564');
INSERT INTO public.ff_payload VALUES (239, '018bcfe5-6800-7000-8000-00000000002f', '\x68656c64');
INSERT INTO public.ff_payload VALUES (59, '018bcfe5-6800-7000-8000-000000000030', '\x77616974696e6720666f7220697473207265747279');
INSERT INTO public.ff_payload VALUES (52, '018bcfe5-6800-7000-8000-000000000031', '\x616374697665');
INSERT INTO public.ff_payload VALUES (7, '018bcfe5-6800-7000-8000-000000000032', '\x616374697665207769746820616e2065787069726564206c65617365');
INSERT INTO public.ff_payload VALUES (227, '018bcfe5-6800-7000-8000-000000000033', '\x64656c6179656420616e6420647565');
INSERT INTO public.ff_payload VALUES (44, '018bcfe5-6800-7000-8000-000000000034', '\x706173742069747320646561646c696e65');


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
INSERT INTO public.ff_ready VALUES ('default', 'default', 0, -7, 1700000238000, '018bcfe5-6800-7000-8000-00000000002b', 86, 0);
INSERT INTO public.ff_ready VALUES ('default', 'default', 0, 0, 1700000238000, '018bcfe5-6800-7000-8000-0000000003e7', 86, 0);
INSERT INTO public.ff_ready VALUES ('default', 'default', 3, 0, 1700000238000, '018bcfe5-6800-7000-8000-00000000002c', 86, 0);
INSERT INTO public.ff_ready VALUES ('default', 'default', 0, 0, 1700000238000, '018bcfe5-6800-7000-8000-00000000002d', 86, 0);
INSERT INTO public.ff_ready VALUES ('default', 'past-its-deadline', 0, 0, 1700000238000, '018bcfe5-6800-7000-8000-000000000034', 44, 0);


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


--
-- Data for Name: ff_schedule; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_schedule VALUES ('default', 'paused', 'report', '\x', '\x', NULL, NULL, 3600000, 333, 'last', 'default', 0, NULL, '[]', NULL, NULL, 1700000002000, 1700000002000, 1700000002000, 1700000002000, NULL, 1700000002000, 'look first', 1, NULL);
INSERT INTO public.ff_schedule VALUES ('default', 'often', 'report', '\x6f6674656e', '\x', NULL, NULL, 60000, 0, 'last', 'reports', 0, NULL, '[]', NULL, NULL, 1700000002000, 1700000002000, 1700000202000, 1700000202000, 1700000160000, NULL, NULL, 2, NULL);
INSERT INTO public.ff_schedule VALUES ('default', 'nightly', 'report', '\x', '\x', '30 3 * * *', 'Europe/Berlin', NULL, NULL, 'last', 'default', 0, NULL, '[]', NULL, NULL, 1700000002000, 1700000202000, 1700000202000, 1700000202000, NULL, NULL, NULL, 1, NULL);


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

INSERT INTO public.ff_spend_key VALUES (114, '018bcfe5-6800-7000-8000-000000000024', 'team', 'bill-1', '{"usd":3}', '\x84a474797065a55370656e74a972656d61696e696e6781a37573640da8657863656564656490ad736f66745f657863656564656490');


--
-- Data for Name: ff_step; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_step VALUES (81, '018bcfe5-6800-7000-8000-000000000016', 'wait', '\x677b307abf4e6a7b726f3c0ca1cec9cb', '\x83a474797065a8576169744f766572a77369676e616c739188a474797065a65369676e616ca97369676e616c5f6964d92465633533396231322d346531362d383565392d616162382d353165313533373663306262a36b6579a6656469746f72a46e616d65a776657264696374a77061796c6f6164c40700ff2066696e65a6736f75726365a3626f62af64656c6976657265645f61745f6d73cf0000018bcfe901e0ae636c61696d65645f736f75726365a0a56361757365a67369676e616c', 0, 1700000236000, 1, 1, 1);
INSERT INTO public.ff_step VALUES (81, '018bcfe5-6800-7000-8000-000000000016', 'publish', '\x70', '\x7075626c6973686564', 0, 1700000236000, 2, 0, 1);
INSERT INTO public.ff_step VALUES (147, '018bcfe5-6800-7000-8000-000000000017', 'wait', '\x677b307abf4e6a7b726f3c0ca1cec9cb', '\x83a474797065a8576169744f766572a77369676e616c7390a56361757365a774696d656f7574', 0, 1700000238000, 1, 1, 1);
INSERT INTO public.ff_step VALUES (75, '018bcfe5-6800-7000-8000-00000000001e', 'wait', '\x677b307abf4e6a7b726f3c0ca1cec9cb', '\x83a474797065a8576169744f766572a77369676e616c739188a474797065a65369676e616ca97369676e616c5f6964d92466376164343439372d346431302d383038362d623661332d626631653633363730353764a36b6579a6656469746f72a46e616d65a0a77061796c6f6164c405676f206f6ea6736f75726365a0af64656c6976657265645f61745f6d73cf0000018bcfe909b0ae636c61696d65645f736f75726365a0a56361757365a67369676e616c', 0, 1700000238000, 1, 1, 1);
INSERT INTO public.ff_step VALUES (71, '018bcfe5-6800-7000-8000-000000000022', 'first', '\x3044e7e4c059180fe3d287f6304d7818', '\x83a474797065a8576169744f766572a77369676e616c739188a474797065a65369676e616ca97369676e616c5f6964d92465666439303038302d326132642d383535612d616561342d356432366334393334666263a36b6579a161a46e616d65a0a77061796c6f6164c4296f7665722c20616e642074686520776f726b657220646f6573206e6f74206b6e6f7720697420796574a6736f75726365a0af64656c6976657265645f61745f6d73cf0000018bcfe909b0ae636c61696d65645f736f75726365a0a56361757365a67369676e616c', 0, 1700000238000, 1, 1, 1);
INSERT INTO public.ff_step VALUES (161, '018bcfe5-6800-7000-8000-000000000023', 'pages', '\x5888389aefb1bfb5a456b758a23badc3', '\x83a474797065a8576169744f766572a77369676e616c7390a56361757365a86368696c6472656e', 0, 1700000238000, 1, 1, 1);
INSERT INTO public.ff_step VALUES (52, '018bcfe5-6800-7000-8000-000000000031', 'fetch', '\x6631', '\x7b227061676573223a20337d', 0, 1700000238000, 1, 0, 1);
INSERT INTO public.ff_step VALUES (52, '018bcfe5-6800-7000-8000-000000000031', 'render', '\x6632', '\x', 0, 1700000238000, 2, 0, 1);


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
INSERT INTO public.ff_tag VALUES (86, '018bcfe5-6800-7000-8000-00000000002b', 'order.id', '2', 1700000238000);


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

SELECT pg_catalog.setval('public.ff_event_event_id_seq', 162, true);


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
-- Name: ff_tag_search; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_tag_search ON public.ff_tag USING btree (key, value, created_at_ms, execution_id, partition_key) WHERE (created_at_ms >= 0);


--
-- PostgreSQL database dump complete
--


