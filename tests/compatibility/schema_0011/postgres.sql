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
INSERT INTO public.ff_attempt VALUES (223, '018bcfe5-6800-7000-8000-000000000024', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, 1700000238000, 2);
INSERT INTO public.ff_attempt VALUES (107, '018bcfe5-6800-7000-8000-000000000025', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, 1700000238000, 0);
INSERT INTO public.ff_attempt VALUES (221, '018bcfe5-6800-7000-8000-00000000002a', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, 1700000238000, 5);
INSERT INTO public.ff_attempt VALUES (59, '018bcfe5-6800-7000-8000-000000000032', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, 1700000238000, 2);


--
-- Data for Name: ff_batch; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_batch VALUES ('\x0a17c6a6f3f3eab4242dc4de20f8166d', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\x65ceaa1884ab647d50344d5c16c5aacc', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\xc4e00b549e0757d1ac2fe770d8fa7f90', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\x9d0c780b06c7a70c7f78b7f1acd296fa', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x6c8f62a6116ae4a4af08463e3f3d243e', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x81fdc69558f24506c138af7de578ec2d', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x8200a048501c874b7d1d442461ae0bf9', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xfec18f8cc68a2c6df6826ded7abed077', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x06cb3c69fcabfe5a2767c62f116019ca', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xb172aef102266bda472dbfac0aefa156', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x6f089350a1866de0759c3bee31c8c4eb', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x79df74b3490638549dc871955b07e108', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x23c8df26d2f0093d9af91c9e1281ab07', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x681298b99471ad868d7f7b5fb8246afb', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x6e9dbe790448516f2205c6247be8766d', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xdf0c054cc7a31ab533f7a3cf3fc2c4ad', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xf665d935c00dced4ee6877414dff6354', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x63a0847cee9002225da3f31bc10e198b', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xd6f9aec7c60c250f411947dec4e2430c', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x1966f9b21966cafc07a0a6c822f257d9', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x4b4287ea366ff0fc38d488cb081ced30', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x95d8dcefe7b9c43936c2b7870177d7c6', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x49c9fbf2067c3f108e9c392139692086', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x9906eac6e96f5e80dde58ca02d088079', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x4a8312b58aa1604cfb0a800088b9ffcb', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\xd1b06d3860e0d299cc63557c9b0d68c6', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\x5b0bb42286bc60c35060bf53e85c5d35', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\x7e58b50af5a9816f921e65b932759518', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\xc8263ac7815cd360bdd601e2e51949a7', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\x18c2aef6714ae8c083b2aacfdd6f791f', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\xc5283900a1952bcec0f0ba45230e7174', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\xa0f08c6a47b5434d1160be8b62aa2eda', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\x60ab2f031a5da0dd18f3d1403b7c8ae9', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x10d17c84646d8fe02b97d03eb424c4a2', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x6da9a34c5704b59ac205122502255b0e', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x1bb40ddc73f63dd9c07c2e08946bc534', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x4a3c9386cab24a349865c373701e0f97', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x81e42b2bc54bdd25dd4e6897f18e6a2c', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\xa9fb1aab499458ae80763922330e5143', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x5f3043f58f1dd3134a271096d5549120', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x511ae73a5925034c4169b8ff30b9ac1e', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x6e4d1fe248b4e9a886513eb71a5ba43a', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x8aa51ea8b49ae906ae7ed21daad0ea7e', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xce1a738a3363786f81473dddb9541600', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x6b0a3c8a034ff0d2f1eef33e48b25f6a', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xfdd4e94902591496b0107581a5cb20df', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x1d09fdf686c9b89812eab00b5df21703', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x4f5a864eb810f6040091dcc1c4fc82e1', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xfc58afa1b1e05a862b91c44420d1cb25', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xe673065e1f3a61b8acbad7cb7482a434', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x446d14c472771e9dfb30b9eee703faf2', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x3a84c01b47a040e753d8b5d1ccd4d46b', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x67fd6a1b278e01d4589450dc9264e6c5', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xd0e7926c7008d3531f0ea879d85fa450', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xa530585907ecb3dad63d384e28aac376', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x5989dc9232ec89e56f99af2938cf74f8', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x5eafa9ae61b7fbead85880f9b817fd88', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xbeccdd54a5eadb6ed3cadd69661501ea', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x11e83e07e043bd83d6fad3bd991fdc8d', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x537881dfa146e89f95ea9d77683994af', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xa40e530d70cd7c362ded0dcd48521ae0', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x10bec2d883e06ae692b9347594ac4f6d', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x462c0c961f53e7c4d5acc2071ddb8d24', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xa9926233fc8ff94da41c237b3551e67a', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x486ecffddde5c5f3202e573b8ffa7c4d', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xab02a6f0e236aab020e98b68b3cc22eb', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xd288261d3709c5bf274b39532449b3c0', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x208f4972fe1a1217ab232e6fdb957293', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x98646e32cbb874ed44fde7e780e1e3c7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1d7263805b51d9447e2e22c0aeb34f79', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5d34625f0106f1f0359b19f531b1fca3', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9f3f6eb1bb0532c977080c2ad4f344e7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xafcfd4609e80c5d8a2d0ef24a9201438', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd659025f4cfab3937c1af03a05a508bb', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xed22a1b5b0772ff6c49cf309f2633de1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd2b04eab098685dc4368e02f415caf0c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc0fd5a93434ed5580350d3085915c14d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xee378b70e74a69600bc33f114aeaf463', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa637270b77c37787ef7cb1dbdd90c3c1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x516d3aefb02b374ede1287b726f42574', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x482bdee3db9e358f7991428b7aa67d41', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x3cde5e0fefd4b5891cc1ae99b17d058d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd322deb2d29f287e4b4e1609efb9bb0a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9ca5399e2d8c3cfa30ce0f7b936d1991', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x0064e0c845b1295ec31e522b9b498e9c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xdd2236bfdc1b2f4c736ff0a916e1484a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x6f6daa8ecca785e3db9c8de51f4fd074', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x6ab3a2bc20d3fb704771cc7281f4f25c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x21af0a40c004d9e4010a3b021509ce1a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x501e9bccea6f8681aa38b3492d928194', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc7c378675478dfc8320fb54debce06c8', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x87391de93b177dee837d0fc936612327', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x28f2f6a495848ff1033d3436604b4b3f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x04b66e0502d123dc2f54323459fa86b7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x350d1aa30d75d330061679fb479d2bba', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x6f53c95daeef68b7d9e39b10a1f3ccac', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x6df1ec7d520f41d39c32d90488bc6211', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x034424c2b563f8c0afe342c1da0c4744', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8fd9c4879a33d26ef90ea9ae2ac931cd', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x2bb0f6159edf76025de7a91d4d687129', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xee50a3c29cbadd5fb616081e955e0daa', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1ca57e17703056720341e7ccfd0a0d80', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x2a7eddfdcb44eef2e041215449b969ce', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x708675c17e72ad5c3fb8ae84c150998e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x2c4fbbe4f7c78c48c36c56c01a55c9a0', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x47d4bb67600b80120db5d40b13b59b87', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf447aa3d0012c89e19769c31bcf851a7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x92439d0725c88ed1758dfb2b66e7ec52', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xdbeff91be4b0ddc7003588e0e23497b0', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa7d403971e7a2be8fb4c4139e8b65879', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9657c56a8e64d5e35e7faed3a85096fb', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x17cf6903a341a0d815b245e77f977113', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb1ceaf94aa8bda0e9ff1bbc2aeac96b6', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x485f1e5a80003e3bb399656c9c4cfca1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xca26f6f05d51ebe94cb899f0fa3675bc', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd8022224237ae189e0e8f234c2e3b04b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x6a95dbfd021391adbc54463b72e4cfc8', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd31d4213e83640e66baa280798bcd2b3', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5220cf4d44d66b5c504ae15ff3d7d7b9', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x049b95be64facf17dde3bbb0cd426182', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe573760b26ba4973275009f00af3821f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf9237fbe6ca22db9ca90774e668b0a03', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xdb1798700655cee725b2fa4ea356ab9a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb5b23273d3d296b79ba6a616d6cb1d7b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x25044a0590e979245cc0606c05013e20', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xfcbe871fa7971758dea8316e6343f76b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x555db6e4336d9f9ee86918b30711cc24', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc9df33066009788ce23775ad6906f2ab', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x35b0884ae4fba45065193151d7c4a81a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5d84366d856af4d838d7440455007248', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc087664b9dec585d39823d4c86ea6571', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf77baee22ee0afa7fc086474242e9786', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x05500a8cf993f318176c02a4934ddaf8', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x0c34fe45739ab70106d15591650a39bd', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x3dfe6744cfd104399405dce02152ed11', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x36e20614f4911584ee498f522ec12576', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x4524384d5213c5baa3d121020ac52042', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xfe6acb7ffd30f9eb88aa955b38e2f9a4', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5ab383d4f680fe09dae19e42af14447e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9d91e7d0d82acb23be11125ecd91b0cb', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc4cdeb24eb6bee1c9ba35b9a77050270', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1db240220f66c808f265eb6d54fdb030', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x0bade6f9abea0347578d5cabd054f6ff', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8f683bb8bb8d268cba35bb2312e675ab', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x68978c0b231430c30937fbdaf88cd7ba', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x0eefbaeef68bc65e47995fc1d3b2b846', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x048bd981ed6b6adf4671887bafa07df1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x14e490bad21e0ce193c1ec8d46827d20', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb80e6ee82b23a089468e26425d152b21', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x69ef022ae8983479a61afe332559a60b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1c2a42a7657dbca4dc2eb86ca388f72a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x54a2a7c41059ab293f51dc8c4d36ec44', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xcd943f1d8e9a463df91c66e14b003ed6', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x506ae4382ae7a95b0d4f8f92ece2f135', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7476f4a7d9ef35c6fa6ac0f4a9cd94ab', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x0f909a646f9565e95cadb5c2b9da28fb', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x248af46bd62fd78cc4b420373c7f49aa', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x390e1968f4a58a56a7596cfc151247ee', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x12617044f9126a0d55abb540957c4e1f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xeccd47daa09b1062c5f1fc5ff3e3eb16', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc1fe219967614ef84a7d99a9b671ae03', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x50a25efcac5abaa572ce9c358ff561f7', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x298a63865c74c4c323d862f6f43c2cc9', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xb1e9274bf56c37a0bcae3dea7578fa99', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x89017290ad7bc0f8b94d833dfd562514', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x8e8f901863ee24bdfa4fef14e630298c', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x400472f0194a63a8375bcc1190bac5cf', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc0fae2b06585e790d692a4411fc2f04f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xa1a61438b43df15858149960ce558c2d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x188f8a44bc63d8e97b64ace6368dd6e5', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x30aefda7e16b56fc33b0163ad0f91fa0', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x851ea31c92e76032a70208f767d90b0a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x0b5af185bbe526900941c182ec408b0d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x38c98fae8af28a97363c39a5ceaed6a2', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x1b0e7f6cac3099eb53eda1e74e77d416', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x189c678edbb605d1e859b9f0b3e223fb', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x11339b0160a64ff64c17ecb9681906e7', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x7a05f970b627033cf66a0b35dc41f2a5', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x218459dde9e6ab87b5e38dea6f85bfd5', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc30c768b71c340e6beab1415290dcfed', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xa1d786aa87b2a14ecb01d033f171a408', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xce98b259aa7d46cfa48898d936d39118', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x7ec493d4851a597bfabf7a29bd95d53e', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x51ca3a0b30653584be6e96d61204c49b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x92135903e4d25994cc0638ce58a8f5d9', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xbaf4429a9fac7b8cd7e7b85928dc90a2', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x8111b9405da22a654e316cf09a069b17', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x0b46c8440ecf297e8292d079cba1c28d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x41d345f76fa82198a23c62bc19d14285', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xe55646110564e98801055bd999402e16', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x71b277770a1a653880f1256f43cfe5f2', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xd40dcf6bbabff64b93d19cc7110aded9', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x513329d9d4e03e464a8dc73a1e92e221', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xf9949b06db7ec78dc6181e4b67dde3f9', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x944f454aa7c75909b843f5c2c60d79ba', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xf6f91563d1a9a6bd172b7215ab2c5e25', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xde488d7d60c427005ef728d544f6a1eb', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x67c18d35cf581f062633e86b6f1de1ef', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x7c0d346027329af73ca48bf44c71c1b4', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x69567dafa9dcf65f48bc85e3a17c5541', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x49cc31d3b1aa0253a70eb6dbb86a60cf', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc4c8a57f553dbc76bc6828725fb2b65f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x7e32683783cfb5e2a026f13044324ef8', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xbb899be9f234b24fe43be95289083f38', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x90226f294c78fd74730b8684d543d04f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xa1d3c89642368a5a237da5de6dea8ace', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x72fc12a692957778140e5f5cc865cca6', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6398ea0b9633e0c0b41de75aeebe156a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x9fb6bfaebb7608512e728dcae6ec029f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xed508cf863057f262f15d476c7ac2d9c', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x7f7e5bd082436acfb57ac76c1087f31d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x09501865737176530ba64f0eef6e1e26', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xe67cd817a6432ff60a9822be2e7d3ad3', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x515b5c270044a695edf7d55208317912', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x8bb3566a78165a1401dba13d71b9cd68', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x674378b8075392ac3d7b76498ff3f9ca', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xd2857fa37dd6b85873b507b4608e2220', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc5a124d3e497fe712bd079c5fe0f24a6', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xe3f2badcd4f9a079ae56a82a8c50624a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xec4c28d22acbefd9b7cc0546e991345b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x4f83c90f11608e50d9c7d548eb9f1e1b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x5e5bd93412b82477f0a6b548961890d4', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x2f9fe0e6e7569ab6d93105476431ee75', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x68f4604de8f9fb3df31d8670da5c8590', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x49f9053fdb1780bcc42693ec245c3b7b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xcd7351329995ae3211e6c7900723151a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x0573c9083647cca48ebd3ba1b49506c1', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x8853876ddab6078f824a8eb33df03cff', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6b87b03e8ed566ab4100f5d5fbed8c33', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x7b0352eff9ffab3c1ad0778c7eebf541', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xb81367d0db450886efab30e1562ab812', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x79eb98298e8982ecc1ee241464d051fe', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x0a09d643f65782c413ef88f3ce54ff20', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6b03724ab9eeb0c2a38323cdd681d002', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6dff2d69a2ad2e58ad2d6922c2813f08', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x4e15f3b0a51339e38821adf484f2ce8e', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc76c67888ff5d30695ba81a67c2bf796', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x8cdce33de65793b3b8b90fefea9aa642', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x8bc85a45cf501a0d6ad816f38d4b879c', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x68bec3d5af6222caa2cfedbfe2ff6bae', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x55be7c41862ffa6fc20fadf0db42f407', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6679fe6214ff82181e56932d501830b2', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xb9c6f498acd2f3e58f7f9ac170dd8993', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x5e495482b7c6625fbfeecd2368ce33c5', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x901b10596db6b3ebaa76b0f8fe41e441', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc5c8e1b5c8ece0b3b7e9f0f2986c72af', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x1a8a079e718c2ecca6bf395cc33840be', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xa9633fc95f217953593c2191e3805fb9', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x22d96092b7a3474139ab4975d45ac767', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xef1cef94ef014b614165dfecc9cbfe00', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xb4f7cf64d7fbbeb19df7f3b118b6f5f2', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x5f1e3c9f2b2aa91bac61a5b103f1c22f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xcf4aede85ec3c7c57a01b92cb6bdadd8', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc0b49264bc2ef0d04c741cedbb054f4d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xa9225858c7f273654147969486e61582', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x57e8c25544cc26660b749169222bfcc9', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xe2651195506ac9a37d8347de79afc73c', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x0651bbb0f62d7b5bd1af41c629a7f28a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x10a717037808c35ed4e7b4459db587ee', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x36daa46a5c5aeff550afaf26dfcc99d7', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x46456b5867795113b79244bfdf276de0', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x0a5a6f40d4bc880f8e9ebca5b9d4b14e', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x1147d19ad0fd5665ba16147a2d6e32c1', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xa889ce68f20a44aa31f36e95edb4be9b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x573647de959821272f34b9347c8201bd', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x49e7d4709e76562d64743b8c06adc946', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x45171408d3cc1ae2bb43d8b5eb696507', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x044b981b392e6c04294db7bee1ab6774', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xd2aaefc941fdc716aea83f8c6b0fe464', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x1f5aa5f6b993de2d62afa26ac5fec0e8', 1700000238000);


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
INSERT INTO public.ff_due VALUES (2, 1700003838000, 223, '018bcfe5-6800-7000-8000-000000000024');
INSERT INTO public.ff_due VALUES (2, 1700003838000, 114, '018bcfe5-6800-7000-8000-000000000026');
INSERT INTO public.ff_due VALUES (2, 1700003838000, 38, '018bcfe5-6800-7000-8000-000000000029');
INSERT INTO public.ff_due VALUES (0, 1700086638000, 86, '018bcfe5-6800-7000-8000-00000000002f');
INSERT INTO public.ff_due VALUES (3, 1700003838000, 48, '018bcfe5-6800-7000-8000-000000000030');
INSERT INTO public.ff_due VALUES (3, 1700003838000, 59, '018bcfe5-6800-7000-8000-000000000032');
INSERT INTO public.ff_due VALUES (2, 1700003838000, 52, '018bcfe5-6800-7000-8000-000000000033');
INSERT INTO public.ff_due VALUES (2, 1700000239000, 7, '018bcfe5-6800-7000-8000-000000000034');
INSERT INTO public.ff_due VALUES (3, 1700000239000, 227, '018bcfe5-6800-7000-8000-000000000035');
INSERT INTO public.ff_due VALUES (0, 1700000239000, 44, '018bcfe5-6800-7000-8000-000000000036');


--
-- Data for Name: ff_edge; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f7-755a-7000-8001-ff0bce14e0a0', '018bcfe5-6800-7000-8001-000000000002', '018bcfe5-6800-7000-8001-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f7-755a-7000-8002-573c83d03f24', '018bcfe5-6800-7000-8001-000000000003', '018bcfe5-6800-7000-8001-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f7-755c-7000-8001-9f2bf559b3c3', '018bcfe5-6800-7000-8002-000000000002', '018bcfe5-6800-7000-8002-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f7-755c-7000-8002-4ed971dd92e2', '018bcfe5-6800-7000-8002-000000000003', '018bcfe5-6800-7000-8002-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f7-755d-7000-8000-c95cb9ac0fd3', '018bcfe5-6800-7000-8003-000000000001', '018bcfe5-6800-7000-8003-000000000004', 'left', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f7-755d-7000-8002-a353c07a3e21', '018bcfe5-6800-7000-8003-000000000003', '018bcfe5-6800-7000-8003-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f7-755f-7000-8001-6b103e834fa0', '018bcfe5-6800-7000-8004-000000000002', '018bcfe5-6800-7000-8004-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f7-755f-7000-8002-8d9c79f04bc7', '018bcfe5-6800-7000-8004-000000000003', '018bcfe5-6800-7000-8004-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f7-7561-7000-8002-5da6204c9a47', '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-8005-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f7-755a-7000-8000-6d010a626f8e', '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-8001-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f7-755c-7000-8000-17d451c5b626', '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-8002-000000000004', 'left', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f7-755d-7000-8001-a598c8bec72f', '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-8003-000000000004', 'right', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f7-755f-7000-8000-370b562bd865', '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-8004-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f7-7561-7000-8000-b91c1d577c95', '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-8005-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f7-7561-7000-8001-0a8afd2960f9', '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-8005-000000000004', 'right', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (95, '018bcfe5-6800-7000-80ff-00000000000a', '01a1f1f7-7581-7000-8000-3d81f18ade33', '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-800a-000000000002', 'before', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (126, '018bcfe5-6800-7000-80ff-00000000000b', '01a1f1f7-7582-7000-8000-0f5b7eb9f328', '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-800b-000000000002', 'before', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (211, '018bcfe5-6800-7000-80ff-000000000006', '01a1f1f7-757c-7000-8000-578032504437', '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-8006-000000000002', 'before', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (242, '018bcfe5-6800-7000-80ff-000000000007', '01a1f1f7-757d-7000-8000-d37ba5b819d4', '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-8007-000000000002', 'before', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (29, '018bcfe5-6800-7000-80ff-000000000008', '01a1f1f7-757f-7000-8000-8c04d09bbde0', '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-8008-000000000002', 'before', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', '01a1f1f7-7580-7000-8000-5cd756a2cb2d', '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-8009-000000000002', 'before', 1700000236000, 3, 0, 1700000236000);
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

INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (3, '788', 2, 'schedule_paused', 'default', 0, NULL, NULL, 1, '{"schedule":"paused","reason":"look first"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (4, '789', 2, 'schedule_paused', 'default', 0, NULL, NULL, 1, '{"schedule":"often","reason":"for a moment"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (5, '790', 2, 'schedule_resumed', 'default', 0, NULL, NULL, 2, '{"schedule":"often"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (6, '792', 2, 'schedule_changed', 'default', 0, NULL, NULL, 1, '{"schedule":"nightly"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (7, '793', 2, 'schedule_forgotten', 'default', 0, NULL, NULL, 1, '{"schedule":"gone"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (8, '795', 0, 'acquired', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (9, '796', 1, 'completed', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 2, NULL, 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (10, '798', 0, 'acquired', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (11, '799', 1, 'completed', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 2, NULL, 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (12, '801', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (13, '802', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700000203000}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (14, '805', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 3, '{"attempt_index":1,"lease_epoch":2,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000212000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (15, '806', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 4, '{"code":"smtp_down","next_attempt_index":2,"delay_until_ms":1700000214000}', 1700000212000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (16, '809', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 5, '{"attempt_index":2,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000222000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (17, '810', 1, 'failed', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 6, '{"code":"smtp_down"}', 1700000222000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (18, '813', 0, 'acquired', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (19, '814', 1, 'failed', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 2, '{"code":"bad_address"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (20, '816', 0, 'acquired', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (21, '818', 0, 'acquired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (22, '820', 0, 'expired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (23, '820', 1, 'failed', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 3, '{"code":"worker_lost"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (24, '821', 1, 'failed', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 2, '{"code":"attempt_timeout"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (25, '822', 1, 'expired', 'default', 213, '018bcfe5-6800-7000-8000-000000000008', NULL, 1, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (26, '825', 1, 'cancelled', 'default', 252, '018bcfe5-6800-7000-8000-000000000009', NULL, 1, '{"reason":"not wanted","source":"operator_override"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (27, '827', 0, 'acquired', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (28, '828', 0, 'revoked', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 2, '{"reason":"stop"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (29, '828', 1, 'cancelled', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 3, '{"reason":"stop","source":"application"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (30, '830', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (31, '831', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (32, '832', 2, 'replayed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0,"steps":"cleared","steps_kept":0,"from_step":null}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (33, '833', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 4, '{"attempt_index":0,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"replay"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (34, '834', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 5, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (35, '836', 0, 'acquired', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (36, '837', 0, 'released', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (37, '839', 0, 'acquired', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (38, '840', 0, 'released', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 2, '{"delay_until_ms":1700003834000}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (39, '842', 0, 'acquired', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (40, '843', 0, 'revoked', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 2, '{"reason":"drain"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (41, '845', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (42, '846', 0, 'expired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (43, '849', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (44, '850', 1, 'completed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (45, '851', 2, 'replayed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0,"steps":"cleared","steps_kept":0,"from_step":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (46, '853', 2, 'held', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 1, '{"reason":"look first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (47, '854', 2, 'unheld', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (48, '864', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (49, '865', 1, 'completed', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (50, '866', 0, 'acquired', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (51, '867', 1, 'failed', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (55, '871', 1, 'completed', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (52, '868', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (53, '869', 1, 'completed', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (54, '870', 0, 'acquired', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (56, '872', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (57, '873', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (58, '874', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (59, '875', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (60, '876', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (61, '883', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (63, '885', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (66, '887', 0, 'acquired', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (67, '888', 1, 'failed', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (68, '888', 1, 'skipped', 'default', 242, '018bcfe5-6800-7000-8007-000000000002', '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (69, '888', 1, 'flow_failed', 'default', 242, NULL, '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (70, '889', 0, 'acquired', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (76, '892', 0, 'acquired', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (77, '893', 2, 'flow_cancel_requested', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-000000000009","cancellation_policy":"cancel_all","reason":"enough","member_count":2}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (78, '893', 1, 'flow_cancelled', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (79, '893', 0, 'revoked', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 2, '{"reason":"enough"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (80, '893', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 3, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (81, '893', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000002', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (82, '894', 0, 'acquired', 'default', 95, '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (83, '895', 2, 'flow_cancel_requested', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000a","cancellation_policy":"cancel_pending","reason":"enough","member_count":1}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (84, '895', 1, 'flow_cancelled', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (85, '895', 1, 'cancelled', 'default', 95, '018bcfe5-6800-7000-800a-000000000002', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (86, '896', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (87, '897', 2, 'flow_cancel_requested', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000b","cancellation_policy":"flow_only","reason":"enough","member_count":0}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (88, '897', 1, 'flow_cancelled', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (89, '904', 2, 'lane_paused', 'default', 0, NULL, NULL, 1, '{"lane":"paused","reason":"provider is down"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (90, '906', 2, 'lane_paused', 'default', 0, NULL, NULL, 1, '{"lane":"resumed","reason":"for a moment"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (91, '907', 2, 'lane_resumed', 'default', 0, NULL, NULL, 2, '{"lane":"resumed","paused_since_ms":1700000236000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (92, '909', 2, 'lane_paused', 'tenant-a', 0, NULL, NULL, 1, '{"lane":"default","reason":""}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (93, '912', 0, 'acquired', 'default', 232, '018bcfe5-6800-7000-8000-000000000015', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (95, '918', 0, 'acquired', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (96, '919', 0, 'suspended', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (97, '920', 3, 'delivered', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 3, '{"key":"editor","name":"verdict","signal_id":"ec539b12-4e16-85e9-aab8-51e15376c0bb","waitpoint_id":"102ffe25-865c-8d4d-a360-d9d550ef8295","source_identity":"bob","effect":"resumed"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (98, '920', 3, 'resumed', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 4, '{"name":"wait","cause":"signal"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (99, '921', 3, 'delivered', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 5, '{"key":"typo","name":"","signal_id":"3cc23c44-5ee5-8a57-815d-155b817dd459","waitpoint_id":"d6b1e452-8684-8fb8-ad99-e6a48c260717","source_identity":"","effect":"buffered"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (100, '922', 0, 'acquired', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 6, '{"attempt_index":0,"lease_epoch":2,"worker_instance_id":"worker-1/a","claim_type":"resume"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (101, '924', 1, 'completed', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 7, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (102, '926', 0, 'acquired', 'default', 147, '018bcfe5-6800-7000-8000-000000000017', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (103, '927', 0, 'suspended', 'default', 147, '018bcfe5-6800-7000-8000-000000000017', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":1700000237000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (104, '929', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8000-000000000018', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (105, '930', 0, 'suspended', 'default', 211, '018bcfe5-6800-7000-8000-000000000018', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":1700000237000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (106, '932', 0, 'acquired', 'default', 20, '018bcfe5-6800-7000-8000-000000000019', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (107, '933', 0, 'suspended', 'default', 20, '018bcfe5-6800-7000-8000-000000000019', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":1700000237000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (108, '934', 2, 'escalated', 'default', 20, '018bcfe5-6800-7000-8000-000000000019', NULL, 3, '{"name":"wait"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (62, '884', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (64, '886', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (65, '886', 1, 'flow_completed', 'default', 211, NULL, '018bcfe5-6800-7000-80ff-000000000006', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (71, '890', 1, 'failed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (72, '890', 1, 'skipped', 'default', 29, '018bcfe5-6800-7000-8008-000000000002', '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (73, '890', 1, 'flow_failed', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (74, '891', 2, 'flow_reopened', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (75, '891', 2, 'replayed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"failed","previous_attempt":0,"steps":"kept","steps_kept":0,"from_step":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (94, '914', 0, 'suspended', 'default', 232, '018bcfe5-6800-7000-8000-000000000015', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (112, '938', 0, 'suspended', 'default', 220, '018bcfe5-6800-7000-8000-00000000001a', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (113, '939', 1, 'cancelled', 'default', 220, '018bcfe5-6800-7000-8000-00000000001a', NULL, 3, '{"reason":"not wanted","source":"operator_override"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (121, '950', 0, 'suspended', 'default', 230, '018bcfe5-6800-7000-8000-00000000001d', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":1702592238000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (123, '953', 0, 'suspended', 'default', 75, '018bcfe5-6800-7000-8000-00000000001e', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (124, '954', 3, 'delivered', 'default', 75, '018bcfe5-6800-7000-8000-00000000001e', NULL, 3, '{"key":"editor","name":"","signal_id":"f7ad4497-4d10-8086-b6a3-bf1e6367057d","waitpoint_id":"69b82615-af51-82e6-af9a-33d31d65e0c3","source_identity":"","effect":"resumed"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (125, '954', 3, 'resumed', 'default', 75, '018bcfe5-6800-7000-8000-00000000001e', NULL, 4, '{"name":"wait","cause":"signal"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (132, '965', 3, 'delivered', 'default', 118, '018bcfe5-6800-7000-8000-000000000021', NULL, 1, '{"key":"editor","name":"","signal_id":"bcf4207f-10bd-8890-af86-60216dcc00ba","waitpoint_id":"b7d6c052-14c4-80d4-bb90-54baa297f88b","source_identity":"","effect":"buffered"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (139, '976', 1, 'completed', 'default', 161, 'ae61f511-0000-83ac-9b1c-faa745fcb0f5', NULL, 2, NULL, 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (140, '978', 0, 'acquired', 'default', 161, 'ae61f511-0001-8c26-8855-c8ccae7f4945', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (141, '979', 1, 'failed', 'default', 161, 'ae61f511-0001-8c26-8855-c8ccae7f4945', NULL, 2, '{"code":"not_found"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (159, '1020', 2, 'budget_exceeded', 'default', 0, NULL, NULL, 0, '{"budget":"trial","dimension":"usd","used":5,"limit":5}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (160, '1021', 0, 'revoked', 'default', 221, '018bcfe5-6800-7000-8000-00000000002a', NULL, 2, '{"reason":"enough"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (161, '1021', 1, 'cancelled', 'default', 221, '018bcfe5-6800-7000-8000-00000000002a', NULL, 3, '{"reason":"enough","source":"operator_override"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (162, '1031', 2, 'priority_changed', 'default', 86, '018bcfe5-6800-7000-8000-00000000002d', NULL, 1, '{"old_priority":0,"new_priority":7}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (165, '1040', 0, 'retry_scheduled', 'default', 59, '018bcfe5-6800-7000-8000-000000000032', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700003838000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (109, '934', 3, 'resumed', 'default', 147, '018bcfe5-6800-7000-8000-000000000017', NULL, 3, '{"name":"wait","cause":"timeout"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (110, '934', 1, 'failed', 'default', 211, '018bcfe5-6800-7000-8000-000000000018', NULL, 3, '{"code":"wait_timeout"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (111, '937', 0, 'acquired', 'default', 220, '018bcfe5-6800-7000-8000-00000000001a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (114, '941', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-00000000001b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (115, '942', 0, 'suspended', 'default', 38, '018bcfe5-6800-7000-8000-00000000001b', NULL, 2, '{"names":["wait"],"keys":["vote"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (116, '943', 3, 'delivered', 'default', 38, '018bcfe5-6800-7000-8000-00000000001b', NULL, 3, '{"key":"vote","name":"","signal_id":"801e95c4-001d-8318-8da4-e08cec0cfacb","waitpoint_id":"c5ec335f-74ec-8eb0-b37c-634a47ff76fe","source_identity":"ann","effect":"counted"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (117, '944', 3, 'delivered', 'default', 38, '018bcfe5-6800-7000-8000-00000000001b', NULL, 4, '{"key":"vote","name":"","signal_id":"8e3c3e48-f015-83e3-a4dc-02e1071862a9","waitpoint_id":"c5ec335f-74ec-8eb0-b37c-634a47ff76fe","source_identity":"ann","effect":"buffered"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (118, '946', 0, 'acquired', 'default', 113, '018bcfe5-6800-7000-8000-00000000001c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (119, '947', 0, 'suspended', 'default', 113, '018bcfe5-6800-7000-8000-00000000001c', NULL, 2, '{"names":["wait"],"keys":[],"timeout_at_ms":1700003838000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (120, '949', 0, 'acquired', 'default', 230, '018bcfe5-6800-7000-8000-00000000001d', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (122, '952', 0, 'acquired', 'default', 75, '018bcfe5-6800-7000-8000-00000000001e', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (126, '956', 0, 'acquired', 'default', 104, '018bcfe5-6800-7000-8000-00000000001f', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (127, '957', 0, 'suspended', 'default', 104, '018bcfe5-6800-7000-8000-00000000001f', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (128, '958', 2, 'held', 'default', 104, '018bcfe5-6800-7000-8000-00000000001f', NULL, 3, '{"reason":"ask first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (129, '960', 0, 'acquired', 'default', 103, '018bcfe5-6800-7000-8000-000000000020', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (130, '961', 0, 'suspended', 'default', 103, '018bcfe5-6800-7000-8000-000000000020', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (131, '963', 2, 'waitpoint_closed', 'default', 103, '018bcfe5-6800-7000-8000-000000000020', NULL, 3, '{"key":"editor","waitpoint_id":"8b0dc052-7814-8089-8c1f-5e74666d06bb","reason":"the editor has left"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (133, '967', 0, 'acquired', 'default', 71, '018bcfe5-6800-7000-8000-000000000022', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (134, '970', 3, 'delivered', 'default', 71, '018bcfe5-6800-7000-8000-000000000022', NULL, 2, '{"key":"a","name":"","signal_id":"efd90080-2a2d-855a-aea4-5d26c4934fbc","waitpoint_id":"6b8b62a3-a64d-8a8f-bee3-b6fdcb08930d","source_identity":"","effect":"resumed"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (135, '970', 3, 'resumed', 'default', 71, '018bcfe5-6800-7000-8000-000000000022', NULL, 3, '{"name":"first","cause":"signal"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (136, '972', 0, 'acquired', 'default', 161, '018bcfe5-6800-7000-8000-000000000023', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (137, '974', 0, 'suspended', 'default', 161, '018bcfe5-6800-7000-8000-000000000023', NULL, 2, '{"names":["pages"],"keys":[],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (138, '975', 0, 'acquired', 'default', 161, 'ae61f511-0000-83ac-9b1c-faa745fcb0f5', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (142, '980', 3, 'resumed', 'default', 161, '018bcfe5-6800-7000-8000-000000000023', NULL, 3, '{"name":"pages","cause":"children"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (143, '982', 0, 'acquired', 'default', 223, '018bcfe5-6800-7000-8000-000000000024', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (144, '987', 0, 'retry_scheduled', 'default', 223, '018bcfe5-6800-7000-8000-000000000024', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700000238000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (145, '988', 0, 'acquired', 'default', 223, '018bcfe5-6800-7000-8000-000000000024', NULL, 3, '{"attempt_index":1,"lease_epoch":2,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (146, '992', 0, 'acquired', 'default', 107, '018bcfe5-6800-7000-8000-000000000025', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (147, '998', 1, 'completed', 'default', 107, '018bcfe5-6800-7000-8000-000000000025', NULL, 2, NULL, 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (148, '999', 2, 'limit_set', 'default', 0, NULL, NULL, 0, '{"limit":"provider","concurrency":1,"rate":null,"per_ms":60000,"burst":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (149, '1000', 2, 'limit_set', 'default', 0, NULL, NULL, 0, '{"limit":"provider","key":"large","concurrency":3,"rate":null,"per_ms":60000,"burst":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (150, '1001', 2, 'limit_set', 'default', 0, NULL, NULL, 0, '{"limit":"calls","concurrency":null,"rate":1,"per_ms":3600000,"burst":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (151, '1002', 2, 'limit_paused', 'default', 0, NULL, NULL, 0, '{"limit":"calls","key":"","until_ms":1700000298000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (152, '1003', 2, 'budget_set', 'default', 0, NULL, NULL, 0, '{"budget":"company","limits":{"tokens":1000,"usd":100},"soft_limits":{"usd":50},"period":null,"timezone":null,"parent":null,"on_exceeded":"pause"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (153, '1004', 2, 'budget_set', 'default', 0, NULL, NULL, 0, '{"budget":"team","limits":{"usd":20},"soft_limits":{},"period":null,"timezone":null,"parent":"company","on_exceeded":"cancel"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (154, '1005', 2, 'budget_set', 'default', 0, NULL, NULL, 0, '{"budget":"trial","limits":{"usd":5},"soft_limits":{},"period":"month","timezone":"UTC","parent":null,"on_exceeded":"pause"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (155, '1006', 2, 'budget_charged', 'default', 0, NULL, NULL, 0, '{"budget":"company","amounts":{"usd":7},"reason":"carried over"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (156, '1008', 0, 'acquired', 'default', 114, '018bcfe5-6800-7000-8000-000000000026', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (157, '1016', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000029', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (158, '1019', 0, 'acquired', 'default', 221, '018bcfe5-6800-7000-8000-00000000002a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (163, '1037', 2, 'held', 'default', 239, '018bcfe5-6800-7000-8000-000000000031', NULL, 1, '{"reason":"ask first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (164, '1039', 0, 'acquired', 'default', 59, '018bcfe5-6800-7000-8000-000000000032', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (166, '1042', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8000-000000000033', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (167, '1047', 0, 'acquired', 'default', 7, '018bcfe5-6800-7000-8000-000000000034', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);


--
-- Data for Name: ff_exec_core; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_exec_core VALUES (163, '018bcfe5-6800-7000-8000-000000000007', 'default', 'lost', NULL, 'mail', 0, '{"max_interruptions":0}', NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 2, 0, 1, 0, 3, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000234000, NULL, NULL, NULL, NULL, 'worker_lost', 'interrupted once; the policy allows 0', NULL, NULL, 0, '1.3359f68217bf', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (123, '018bcfe5-6800-7000-8000-000000000006', 'default', 'timed-out', NULL, 'mail', 0, '{"attempt_timeout_ms":1000}', NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 2, 0, 0, 0, 2, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000234000, NULL, NULL, NULL, NULL, 'attempt_timeout', 'the attempt ran longer than 1000 ms', NULL, NULL, 0, '1.c94077c71409', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (32, '018bcfe6-eea0-7643-9758-4c28ba83a61e', 'default', 'reports', NULL, 'report', 0, NULL, NULL, 1700000202000, '{"schedule.name":"often","schedule.slot":"2023-11-14T22:15:00.000Z"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (32, '018bcfe7-d900-765f-8002-33b1d051c5b2', 'default', 'reports', NULL, 'report', 0, NULL, NULL, 1700000202000, '{"schedule.name":"often","schedule.slot":"2023-11-14T22:16:00.000Z"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (194, '018bcfe5-6800-7000-8000-000000000002', 'default', 'completed', NULL, 'mail', 0, NULL, 'order-1', 1700000202000, '{"order.id":"1","team.name":"ü\n{}"}', 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000202000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.fb0c86aede12', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 'default', 'failed', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000202000, NULL, 3, 8, 5, 2, 8, 0, 2, 3, 2, 0, 0, 6, 1700000214000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000222000, NULL, NULL, NULL, NULL, 'smtp_down', 'no answer', NULL, NULL, 0, '3.45e771262885', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (235, '018bcfe5-6800-7000-8000-000000000003', 'default', 'completed-without-a-result', NULL, 'mail', 0, '{"retention_ms":2592000000}', NULL, 1700000202000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000202000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.3bb3ea03668a', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (160, '018bcfe5-6800-7000-8000-000000000005', 'default', 'failed-for-good-at-once', NULL, 'mail', 0, NULL, NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000232000, NULL, NULL, NULL, NULL, 'bad_address', '', NULL, NULL, 0, '1.610c93d2d097', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (78, '018bcfe5-6800-7000-8000-00000000000a', 'default', 'cancelled-while-it-ran', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, 1700000234000, NULL, NULL, 'stop', 'application', NULL, NULL, NULL, NULL, 0, '1.f5567c374625', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (69, '018bcfe5-6800-7000-8000-00000000000b', 'default', 'completed-twice', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 3, 8, 5, 1, 7, 0, 0, 3, 0, 0, 1, 5, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '3.b58ad8ccac1f', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (164, '018bcfe5-6800-7000-8000-00000000000c', 'default', 'released', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.4930b504e7a2', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (2, '018bcfe5-6800-7000-8000-00000000000d', 'default', 'put-off', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 1, 2, 0, 1, 0, 0, 1, 0, 0, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, 1700003834000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.823a66e0feb7', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (213, '018bcfe5-6800-7000-8000-000000000008', 'default', 'expired', NULL, 'mail', 0, NULL, NULL, 1700000232000, NULL, 3, 8, 5, 4, 10, 0, 0, 0, 0, 0, 0, 1, 1700000232000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, 1700000233000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (252, '018bcfe5-6800-7000-8000-000000000009', 'default', 'cancelled', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, 'not wanted', 'operator_override', NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000002', 'default', 'quorum-b', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000003', 'default', 'quorum-c', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'c', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000004', 'default', 'quorum-d', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'd', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000001', 'default', 'quorum-a', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.3fdbc0f79e45', 8915601840626237251, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000001', 'default', 'quorum-let-run-a', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.71230fbe4dbd', 8915601840626237251, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000002', 'default', 'quorum-let-run-b', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.c18ddb292f2d', 8915601840626237251, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000004', 'default', 'quorum-let-run-d', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'd', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000003', 'default', 'quorum-let-run-c', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.b0dfab0591fe', 8915601840626237251, 'c', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000001', 'default', 'all-of-a', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.de2eda738e87', 8915601840626237251, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (195, '018bcfe5-6800-7000-8000-00000000000e', 'default', 'revoked', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.1e2120b86589', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8000-00000000000f', 'default', 'interrupted', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.041e8c79a94b', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000001', 'default', 'any-of-a', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, 'boom', '', NULL, NULL, 0, '1.371e8f566acd', 8915601840626237251, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-8000-000000000010', 'default', 'replayed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 1, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.e0b21f256404', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8000-000000000011', 'default', 'held-and-let-go', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000002', 'default', 'all-of-b', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000003', 'default', 'all-of-c', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'c', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000004', 'default', 'all-of-d', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'd', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000002', 'default', 'any-of-b', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000003', 'default', 'any-of-c', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'c', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000004', 'default', 'any-of-d', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'd', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000001', 'default', 'any-of-let-run-a', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000003', 'default', 'any-of-let-run-c', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'c', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (208, '018bcfe5-6800-7000-8063-000000000001', 'default', 'by-hand-a', '018bcfe5-6800-7000-80ff-000000000063', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000002', 'default', 'any-of-let-run-b', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.3c7b22ce217b', 8915601840626237251, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000004', 'default', 'any-of-let-run-d', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'd', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-800b-000000000002', 'default', 'flow-only-b', '018bcfe5-6800-7000-80ff-00000000000b', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (60, '018bcfe5-6800-7000-8009-000000000001', 'default', 'cancelled-flow-a', '018bcfe5-6800-7000-80ff-000000000009', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, '1.59d94236e8ce', 8915601840626237251, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (29, '018bcfe5-6800-7000-8008-000000000002', 'default', 'reopened-flow-b', '018bcfe5-6800-7000-80ff-000000000008', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 5, 11, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (60, '018bcfe5-6800-7000-8009-000000000002', 'default', 'cancelled-flow-b', '018bcfe5-6800-7000-80ff-000000000009', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (29, '018bcfe5-6800-7000-8008-000000000001', 'default', 'reopened-flow-a', '018bcfe5-6800-7000-80ff-000000000008', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 1, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.d3b000b69425', 8915601840626237251, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (95, '018bcfe5-6800-7000-800a-000000000001', 'default', 'cancelled-pending-a', '018bcfe5-6800-7000-80ff-00000000000a', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.222701e9a43c', 8915601840626237251, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (95, '018bcfe5-6800-7000-800a-000000000002', 'default', 'cancelled-pending-b', '018bcfe5-6800-7000-80ff-00000000000a', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-800b-000000000001', 'default', 'flow-only-a', '018bcfe5-6800-7000-80ff-00000000000b', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.4daa29f69b84', 8915601840626237251, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (208, '018bcfe5-6800-7000-8063-000000000002', 'default', 'by-hand-b', '018bcfe5-6800-7000-80ff-000000000063', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (132, '018bcfe5-6800-7000-8000-000000000012', 'default', 'paused', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (56, '018bcfe5-6800-7000-8000-000000000013', 'default', 'resumed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (81, '018bcfe5-6800-7000-8000-000000000016', 'default', 'completed-after-a-wait', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 2, 0, 0, 0, 7, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '2.ca6d9eec79f6', 8915601840626237251, NULL, NULL, '{"signals":2}', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8006-000000000001', 'default', 'completed-flow-a', '018bcfe5-6800-7000-80ff-000000000006', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.6c9307780608', 8915601840626237251, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8006-000000000002', 'default', 'completed-flow-b', '018bcfe5-6800-7000-80ff-000000000006', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.1b89ec70d9e2', 8915601840626237251, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (242, '018bcfe5-6800-7000-8007-000000000002', 'default', 'failed-flow-b', '018bcfe5-6800-7000-80ff-000000000007', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 5, 11, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, 'b', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (242, '018bcfe5-6800-7000-8007-000000000001', 'default', 'failed-flow-a', '018bcfe5-6800-7000-80ff-000000000007', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, 'boom', '', NULL, NULL, 0, '1.f1835b899270', 8915601840626237251, 'a', NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (63, '018bcfe5-6800-7000-8000-000000000014', 'tenant-a', 'of-a-tenant', NULL, 'mail', 0, NULL, NULL, 1700000236000, '{"team.name":"a"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (232, '018bcfe5-6800-7000-8000-000000000015', 'default', 'waiting-for-an-editor', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.aa5ffa221e73', 8915601840626237251, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000236000,"reason":"an editor reads it","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000236000}}', 1700000236000, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8000-000000000018', 'default', 'failed-by-the-timeout-of-a-wait', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000238000, NULL, NULL, NULL, NULL, 'wait_timeout', 'nothing ended the wait ''wait'' in time', NULL, NULL, 0, '1.aafc8aeaa585', 8915601840626237251, NULL, NULL, '{}', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (20, '018bcfe5-6800-7000-8000-000000000019', 'default', 'escalated', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.5205ab88c365', 8915601840626237251, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000236000,"on_timeout":"escalate","reason":"waiting_for_signal","is_escalated":true,"lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000236000}}', 1700000236000, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (147, '018bcfe5-6800-7000-8000-000000000017', 'default', 'resumed-by-its-timeout', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 7, 0, 6, 0, 0, 1, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.bc31b422b5b0', 8915601840626237251, NULL, NULL, '{"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000236000}}', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (220, '018bcfe5-6800-7000-8000-00000000001a', 'default', 'cancelled-while-it-waited', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 4, 8, 6, 3, 9, 0, 0, 1, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, 1700000238000, NULL, NULL, 'not wanted', 'operator_override', NULL, NULL, NULL, NULL, 0, '1.108b2cdf1985', 8915601840626237251, NULL, NULL, '{}', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (230, '018bcfe5-6800-7000-8000-00000000001d', 'default', 'waiting-with-a-timeout', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.1ed60e2f666a', 8915601840626237251, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000238000,"timeout_at_ms":1702592238000,"on_timeout":"cancel","reason":"waiting_for_signal","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', 1700000238000, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (75, '018bcfe5-6800-7000-8000-00000000001e', 'default', 'resumable', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 7, 0, 6, 0, 0, 1, 0, 0, 0, 4, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.8b322e46c8be', 8915601840626237251, NULL, NULL, '{"signals":1,"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8000-000000000021', 'default', 'signalled-before-it-waits', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, '{"signals":1}', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (40, '018bcfe5-6800-7000-8000-000000000028', 'default', 'behind-a-limit,-in-another-turn', NULL, 'mail', 1, NULL, NULL, 1700000238000, NULL, 0, 4, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, '{"limits":[["provider","small"]],"budgets":[["team",{"usd":2}]],"fair_key":"b","turn":1,"parked":["limit","provider","small"]}', 1);
INSERT INTO public.ff_exec_core VALUES (38, '018bcfe5-6800-7000-8000-00000000001b', 'default', 'waiting-for-votes', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 4, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.5435abb80860', 8915601840626237251, NULL, NULL, '{"signals":2,"waits":[{"name":"wait","condition":"{\"at_least\":2,\"of\":[\"vote\"],\"distinct\":\"sources\"}","since_ms":1700000238000,"reason":"waiting_for_signal","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', 1700000238000, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (113, '018bcfe5-6800-7000-8000-00000000001c', 'default', 'sleeping', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.3d2de74b8e65', 8915601840626237251, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"operator_only\":true}","since_ms":1700000238000,"timeout_at_ms":1700003838000,"reason":"sleeping","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', 1700000238000, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (104, '018bcfe5-6800-7000-8000-00000000001f', 'default', 'suspended-and-held', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.6ef176a61909', 8915601840626237251, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000238000,"reason":"waiting_for_signal","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000},"held":true}', 1700000238000, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (103, '018bcfe5-6800-7000-8000-000000000020', 'default', 'waiting-at-a-closed-waitpoint', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.711e1b23d0f3', 8915601840626237251, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000238000,"reason":"waiting_for_signal","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', 1700000238000, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (161, 'ae61f511-0001-8c26-8855-c8ccae7f4945', 'default', 'child-1', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, 'not_found', '', NULL, NULL, 0, '1.0d099d40182c', 8915601840626237251, NULL, NULL, NULL, NULL, '018bcfe5-6800-7000-8000-000000000023', '{"group":"pages","index":1,"life":0,"depth":1}', NULL, 0);
INSERT INTO public.ff_exec_core VALUES (161, '018bcfe5-6800-7000-8000-000000000023', 'default', 'parent', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 7, 0, 6, 0, 0, 1, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.718988c94cc3', 8915601840626237251, NULL, NULL, '{"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000},"children":3,"groups":[{"name":"pages","total":3,"kinds":"c6f6325f4b108367","succeeded":1,"failed":1}]}', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (161, 'ae61f511-0000-83ac-9b1c-faa745fcb0f5', 'default', 'child-0', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.2ce7b8f52134', 8915601840626237251, NULL, NULL, NULL, NULL, '018bcfe5-6800-7000-8000-000000000023', '{"group":"pages","index":0,"life":0,"depth":1}', NULL, 0);
INSERT INTO public.ff_exec_core VALUES (71, '018bcfe5-6800-7000-8000-000000000022', 'default', 'lingering', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 3, 1700000238000, 'worker-1', 'worker-1/a', 3600000, 1700003838000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.b8b63f6139ef', 8915601840626237251, NULL, NULL, '{"signals":1,"waits":[{"name":"second","condition":"{\"on\":\"b\"}","since_ms":1700000238000,"reason":"waiting_for_signal","lease_epoch":1}],"unanswered":["first"]}', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (161, 'ae61f511-0002-8c83-9a73-9f63983ab060', 'default', 'child-2', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, '018bcfe5-6800-7000-8000-000000000023', '{"group":"pages","index":2,"life":0,"depth":1}', NULL, 0);
INSERT INTO public.ff_exec_core VALUES (239, '018bcfe5-6800-7000-8000-000000000031', 'default', 'held', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (223, '018bcfe5-6800-7000-8000-000000000024', 'default', 'speaking', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 1, 2, 1, 0, 0, 3, 1700000238000, 'worker-1', 'worker-1/a', 3600000, 1700003838000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, 'smtp_down', '', NULL, NULL, 0, '2.054f7beb2cac', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (227, '018bcfe5-6800-7000-8000-000000000035', 'default', 'delayed-and-due', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000239000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (107, '018bcfe5-6800-7000-8000-000000000025', 'default', 'fell-silent', NULL, 'mail', 0, '{"stream_max_frames":3}', NULL, 1700000238000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.d466ed1542f1', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (44, '018bcfe5-6800-7000-8000-000000000036', 'default', 'past-its-deadline', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000239000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (114, '018bcfe5-6800-7000-8000-000000000026', 'default', 'under-a-limit', NULL, 'mail', 1, NULL, NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000238000, 'worker-1', 'worker-1/a', 3600000, 1700003838000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.9e07adf178a2', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, '{"limits":[["provider","small"]],"budgets":[["team",{"usd":2}]],"fair_key":"a","turn":1,"reservations":[{"budget":"team","chain":[["team",0],["company",0]],"amounts":{"usd":4}}],"has_spent":true}', 1);
INSERT INTO public.ff_exec_core VALUES (56, '018bcfe5-6800-7000-8000-000000000027', 'default', 'behind-a-limit', NULL, 'mail', 1, NULL, NULL, 1700000238000, NULL, 0, 4, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, '{"limits":[["provider","small"]],"budgets":[["team",{"usd":2}]],"fair_key":"a","turn":1,"parked":["limit","provider","small"]}', 1);
INSERT INTO public.ff_exec_core VALUES (38, '018bcfe5-6800-7000-8000-000000000029', 'default', 'in-a-block', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000238000, 'worker-1', 'worker-1/a', 3600000, 1700003838000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.4218f0c2b17a', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, '{"blocks":[["provider","large",1]]}', 0);
INSERT INTO public.ff_exec_core VALUES (221, '018bcfe5-6800-7000-8000-00000000002a', 'default', 'spender', NULL, 'mail', 2, NULL, NULL, 1700000238000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, 1700000238000, NULL, NULL, 'enough', 'operator_override', NULL, NULL, NULL, NULL, 0, '1.a11627c4f5e1', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, '{"budgets":[["trial",{}]],"has_spent":true}', 0);
INSERT INTO public.ff_exec_core VALUES (157, '018bcfe5-6800-7000-8000-00000000002b', 'default', 'behind-a-budget', NULL, 'mail', 2, NULL, NULL, 1700000238000, NULL, 0, 3, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, '{"budgets":[["trial",{}]],"parked":["budget","trial",""]}', 0);
INSERT INTO public.ff_exec_core VALUES (224, '018bcfe5-6800-7000-8000-00000000002c', 'default', 'behind-a-pause', NULL, 'mail', 2, NULL, NULL, 1700000238000, NULL, 0, 4, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, '{"limits":[["calls",""]],"parked":["limit","calls",""]}', 0);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-00000000002d', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000238000, '{"order.id":"2"}', 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 1, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-0000000003e7', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-00000000002e', 'default', 'default', NULL, 'mail', 3, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-00000000002f', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700086638000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (48, '018bcfe5-6800-7000-8000-000000000030', 'default', 'delayed', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700003838000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (59, '018bcfe5-6800-7000-8000-000000000032', 'default', 'waiting-for-its-retry', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000238000, NULL, 0, 1, 3, 0, 1, 0, 0, 1, 1, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, 1700003838000, NULL, NULL, NULL, 'smtp_down', '', NULL, NULL, 0, '1.a0d0562ad36f', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8000-000000000033', 'default', 'active', NULL, 'print', 0, '{"attempt_timeout_ms":7200000}', NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000238000, 'worker-1', 'worker-1/a', 3600000, 1700003838000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 40, 'half way', 0, '1.9f54dbdc4a1e', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (7, '018bcfe5-6800-7000-8000-000000000034', 'default', 'active-with-an-expired-lease', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000238000, 'worker-1', 'worker-1/a', 1000, 1700000239000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.125c806cfceb', 8915601840626237251, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);


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

INSERT INTO public.ff_meta VALUES ('store', 'postgres-2f6eb75b7b78-0d3875');
INSERT INTO public.ff_meta VALUES ('purged', '782:781:2');


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
INSERT INTO public.ff_schema_version VALUES (11, '30e67094f1a794e20503c407a3fe3b21c9ef1ef7f6d9b1b549b958142bce3b97', '1970-01-01 00:00:00+00', 11);


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


