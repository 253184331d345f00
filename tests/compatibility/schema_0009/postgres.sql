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
    partition_key smallint NOT NULL
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
    event_seq integer NOT NULL
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
INSERT INTO public.ff_attempt VALUES (59, '018bcfe5-6800-7000-8000-000000000029', 0, 1, 'worker-1', 'worker-1/a', 1700000238000, 1700000238000, 2);


--
-- Data for Name: ff_batch; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_batch VALUES ('\x42e87b25ca442859133616dbb88d998d', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\xbed0e419b94d679ea112da3087be729d', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\x229be256a468daf88f0e1279334a782a', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\x48697d9eb745ffeb707009c10a1fd40a', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x2e5d98f9a64cacf540f7c04a456f8a76', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xad0d26eb5a6f772ab05756c61cb1231a', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x3f63ee5376fff4a6ef7d445189bda2c5', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x2f7a2ab56a57d15737a7be62a4603917', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x6e1a7f36745245e5f5e127f2c839b59f', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x829dcebd5c139c3ea10cc260a4517693', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xdb13e3282d36cd2ec9bcbd56ed1291f8', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x35562999925cdfe781a48c4512e123e7', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x96b8107f256f20693aa41d9cf513c82b', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x81d7e2b11d6908d647add44065d3caab', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xb4c5dffe8dfe1d9d1657da4246a6a9ff', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x5207bd4534056f7d3ec9565dc2829da7', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x4d7bb3861ad09075148f1ddcca8d97a7', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x41f44e29836e07a29c55707fac1bc6ce', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x0cc056c3bb59eb3cf02165891e30930e', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xa475ab0ec7ad7f916c10ec7962bf5f09', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xa269e09949b792eaeedad04fce5a0a8b', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x5177468d2f8476d523e83f2d24e90872', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xa7d13f333091907f1ba2274886b78788', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xcfe0a3cfea3d08e87b48b7a7320d9407', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x2554a8ffb2757af1c214e26e4e93b4bb', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\xcff4cd9eb108452b8b344f1d2fa7d10d', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\xe499b15d8fd1dca26134b38eed8d9c19', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\x259b77189e9c49e4fd65017cfb40ea64', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\xf1742bf1830ece5692276309f241975b', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\xec2321706ece5becf7fca8b22ecda066', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\xdbf7d4466def6d80e0ad3210274f1bd3', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\x7abb352fb1f13f4122d1b9c5da89e12d', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\xf2ed9553b1a5a91b854ae6ac721a7fc6', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\xcc07eec8f6be2856aeff2c36b1a0c668', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x8a6020d277a41d6575fb9587c0a9b8ac', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x30f3671f11b05388d34408f8345f7cec', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x46a55c8d1db9e3ac6df82fad333d1afd', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x69de4660c818063f8fdbea78bb8e49c4', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\xab47d0f4f643b8323a1797c275085aae', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\xc4d941cbaa670083ec5e3358ef502b74', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\xbeadc927a5c00eaf255df10f32576f95', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x353f88d520fb75c110ba5c647b66b4ba', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xb7e766d0bd39341898c1ae3c763e1d1a', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x2708a3aef8092c1b35e37dcf7bbc58f0', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x3fe42033dc9442a18e37eb966febd1b6', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x36585b2d1c656fafd3df4d78ec2f9565', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xd4eec98761221244f68dc376362c9ab2', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x9ef27dd65c43c910e662d6f5c74155b9', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x87c08833643efa39fd1702e879395f4b', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x7c3a84cc2c9cb3dea7d54a511ed21386', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xcb94c809ffce665e491fbaf55dec5fef', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x609c06aa79db5020a098956a22a77826', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x2fdf7b924dc0e68d74fc8e5af2a5056e', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x2cfd2eddafa428d8ae3142c29fb5c319', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x8d76b387af8b42a71d3bb2694f11a606', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x91738e4e57e8697a3bdaf5d037b04a46', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x20c52cd30bbe6eca0b5d8a193c6f7d48', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xed0b36cdaa0c06849cbb7e61365319cb', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xc580a393affdd3b3bf3175c20798762b', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xfbc4886510f29d9952afd7dc88eb4211', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x78c776374fde0388937536e3a6f6d2a8', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x5e2e4a3f87b83906e6bf6087cff0b201', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x3863e578785f375064630c8127115a8a', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xd0178aa40921911cf17ebf23c121b948', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xc2d59d99d10f5998a561dbc6653ee591', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x40b453e8f33a0b919d7992cf2ef5d666', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xd2ab15ce9f9bab96ea3a1904952c9e93', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x1dde1459f123b09e473d15dec940fe51', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x2b8ff9fee1f194fdb9ee457fca83883f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb65c2b793b1756f44b773c95ea8656cb', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8090a4ea966aef413f227478e88e742e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x339055171ca093a7013b840a9a214dd0', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x67a12bb5f7cc51bc68ba295feddd890e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x46ce6bab8f2e019c45dc23c972149f07', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x153d2f0ce8cf0304a10db71ebe1b6e76', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x2e4f08e772aff5c5397f68d4d34073d5', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x0a27954066aafa0cb7f836f3edf4156c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5066a450961f9d31e901df2aaae3caf7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x6c2d65ef708fb59891870af6e9a045bf', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x91a785f0b92461ef2ba6f26d254f5f87', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x843001ad09e700b3a8ca954b98d37e09', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7fe6c685f3091759dcfe7cfd7e0b8539', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x6f796dcd15a7a0301dcf9a6d867b830c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x92c1205bf2b81e1ddd6e48fd462a884a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xaf42576eb7725102e3eb2aa250af5ed4', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x2aaae04fdcb523acd93819cdce63b3b4', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7947e0255faadf95eb8c828f65c290d9', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x90a10924a32e955543da4cafadf536a3', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1300507a6896d66a5844edb9ee290b9b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe4925b634cdb97e543a94731a05c8287', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x95aa06222f043a11c8be94c6dbb73f2e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x058f13423503e14593bb888197ad76fd', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x989cf86d526e62b2df97261b96c8f5ed', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1b97360523db6bb87a93b7d1cd10767d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd15a983de9aa495c03898952b3eb05f8', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x0f3db6fc655abfbe0ead1778b3fe71d0', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xec2110245d6a8aa7e6d9860d7cf785c6', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x380a4b833fb6fbc44b0f17014c5b569a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x67f97d1beae71b2325b2b2ff59980a22', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x76009b55b9a014e7f5ead6b1825b6ebc', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x147380a4ca40b1a439a79dd4d9a8b18b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x04c2f820595fab9dfe087dc2648fcdbd', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xcb3ba7d54ebedd804188284e397839be', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xccbfdc1ce3de039022c3eebd299527e1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x4f1e899dd768c5cc085e0619243c88a0', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x3123a6b734ae0ad2b3581d5f022397f9', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe311dd5e539d1d282fca2e039b01d127', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9c4a5d832daa7b3c3b18ae4d1b85d73a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5d51074cff6c3c94811b7e5e41a5d61e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe41b752d0488814dc08f52e4acf93a2d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xabcb391d0768b92f5137d72a28bbd933', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5ad88fee0904eb0d4b89a9146c40eed6', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe878f4094363e0f9e0492b0c1c99b3dd', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xedd50b245ffe4109a255e7e62ecac553', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x86db3e9889ce536877b71558e18d6b59', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7abc8aa2d95b5fd66710a6c3c0631bab', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x889f1ecf7e1e52eb4d9d8f4ab153415f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x05581c9825707b1a2a418ab0827e0ba1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe889fc77a389a20d773aecba70d865f7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xfc19fbc6512fd7c0d2899db41de1d78a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf061052344f1e0a6f0a799586fc21ce0', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5666b8ad39d37ef83bfed35161100330', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa6d5274f97d386e3c81f0ae2cf87eb37', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x6405346a719ffe3a63e9d4fcd7eec132', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x18997938802df7aac3c2cf2869e37a9d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xdf11a630d9cff574664310c17dbd947e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x140d36bef6613ceb2ab91c76bd842ede', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x69fdd588ad0ab3d8f9a4ae899e3a7b22', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd3b3fbe7e25ebd433482b513a29bd4da', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x38e3f9d6af152c1115f7267381183d6d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1df43a59a558ed72fc54a54cb0ee8a2f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9c7ddac1c0af3e7144a1fb37aba6ce67', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x885e5d4c4014e5beb2519ad534b3acbb', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x81f499d3cfef9c1d4ebd1ec6063550c3', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x42340eb95a8c589e4a9c4e461d178cb6', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc92f30a1ba415dfd61925e839d006470', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x14d19e86ac95ac8eee131c0665e37568', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x905ba4cb74b1e1d2cec2ebd8264956c2', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x45e97fd70c073453cbf27c9db6e3ffc8', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x20815f0d73aa40defdb76a90b9304bbd', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x880a01c89d7d129bf19ebde2b0311261', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x61e574163fbb950aa0c97091d6d2d3ac', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7b2beba8b051cc7ebb2804b4fb9259b7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc269e06069439ca5b4feb6707b62c58f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x319cae581f9fa6e04274a27e5b3843e3', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x901ef74cac37407c5141fbe6e03e31f0', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xaf1c66e854b288099f70d966f3f1d858', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7943e9a57a84807a65406750799bce4c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x859bffff9dde85c11e434d2a3e750009', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x93ac337ef201bef116fa035128f63c90', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc452b58bd18b2208c238ea7d18539a61', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc6fe67bc4dab4bf5437cc52058d4438d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf0738e5d07e253ce8522e075bfb881c9', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf9160855cd3820adaed5b2f3d69fdd22', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf0fee55212172dad36841ea15bbc7220', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x1d2cf9765ca8aec5c8628a6cfb91a6eb', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x759b5f45cae1ea0ac9abb041c850e3b4', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x9619e14e8f1e0027da9f1b6dfd347460', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x17914adf6460d3f6cb4d5f52e6381490', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x69f56e8e8edc39ef06fd979de5d4b532', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xca72af61344ba44e354b2e9765dd107c', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xdc4a50963f0f35fad4ef46bafabde43d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x2d316fc5c64fa64350ee248428cd71b7', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x8425741440c9cd2921d63db591e244b7', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xf1d4f2984e3fefbc7cef20d36a622a9c', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x4936c05fae8601e86ec4e1da648f6ed4', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x24503b49dd4429d6ccf7f00c722cc09b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc92ffdcd00f76eb929f01f571b1bdb2a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6c5460171b85d5a2711429428da0b480', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x59901222641836f9d5e2885330ee1400', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x1898992d372ae056bc99e4b41898769f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x466756d6bde40f3e6f2d6aedf4f35035', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x0bb8d4c13ea803c8f983b3bcb50a26c1', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x280d7b4ee0c2d6de7ec9203aae7e4e53', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xb0d62a94cc8d816e4297085a72526c3a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xd3b96da8aa35156b79ce48890772421b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x2bd8e4e19c71e584e351363167a1c688', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xa33064b1c1f8bce1ffbbc7b8ff37c2d3', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x03f12605758ed87a7d88909b9d0a63bc', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x16bac8c5a6388d984b10cca7ab65fb6a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xa2ed0d42f9982c4c5c2f0b89ba8a1723', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xb19f9e46adea373cb3634fe0edcdb958', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x4fd97672b328517b3440e2c04421f554', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xac6f54a9d700c8bd68ee0ca7b6d53bd1', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x98a056b2fb958b560aa5d9da79c6a266', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xbdf7982cf9a4eb88cc67078f71a9bdf1', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x4a0f1b064f2c357b1f826673d94f43e9', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xe3b14c1a8a04e9e71bdb6a38e105f66f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xdef4aa99a1ce125bb380eec011a9997e', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x1668172890ea4124e9aa4cda9953e05f', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x42d4e45da0c45cd4345aa3e4c7ff38c9', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x098ce81dbbaefbf426bd0324c96ed237', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x122e0f59af91dbdf2ea85eeb85b5f3e8', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6f4ec8b622a77ed614d063a74d40be3d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x95352465e173538611260d8e3868824d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xd47436d8a286c9ca45fd4340364f98d9', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xab4c6857aa7061bcc66dcdf526c6bcef', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x97b546a2d5315aed53e3887ada418df4', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x159d5875f426121c0a1f9c8389b22b30', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x34df499cd100a25604ea1b910403c09a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xbe5728f1cb571a3f24d2ff757cf0636b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x953950d58cd4ba48ba9f5a88f760d05d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x62617ff13f84354c32ec70184bfacd7e', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x482954080b27c04ffa2adba40279b1f8', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x5caa67c494c9725978811f7c1b85bf43', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x62fe55ba2b5a7015b039b242bbdd022a', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x64adb1c79e947c6dcb2ca7664311bf34', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xdf80932201c4f30c3e3b70957ae8c14d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc0e7083e9ac17cfc8c21535f7685743b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x6c2215a06f30f67275c9260632b72dca', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xf85411bb21c120d34980ef655d396cad', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x7df2ad88ce2d00d703c07fd6053380a2', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xe5a20aeaa47af1ab0fb6d2af0d0e637b', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xae5db50f84bd12930439d017ab9782ec', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x71c6b578cf58a40a1e044432ccb7dec0', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x486cc05326e148bd47f84bb0c850cf90', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xeec6ebb49c05ee8a27e066bced5ec6ae', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x5ff0123f2af7a05fc9cdf4bc48c34f2c', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xc9b081ba7a20fba90ff638f5e09b0bd0', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x2c7850a95fd65c10dd7974a4ca29920d', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\x8a2a8eb3c00ae91593f4918174ee96c1', 1700000238000);
INSERT INTO public.ff_batch VALUES ('\xa2ca6ce63902676915add72965951cdf', 1700000238000);


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

INSERT INTO public.ff_capability_set OVERRIDING SYSTEM VALUE VALUES (1, '["gpu","ssd"]');


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
INSERT INTO public.ff_due VALUES (0, 1700086638000, 86, '018bcfe5-6800-7000-8000-000000000026');
INSERT INTO public.ff_due VALUES (3, 1700003838000, 48, '018bcfe5-6800-7000-8000-000000000027');
INSERT INTO public.ff_due VALUES (3, 1700003838000, 59, '018bcfe5-6800-7000-8000-000000000029');
INSERT INTO public.ff_due VALUES (2, 1700003838000, 52, '018bcfe5-6800-7000-8000-00000000002a');
INSERT INTO public.ff_due VALUES (2, 1700000239000, 7, '018bcfe5-6800-7000-8000-00000000002b');
INSERT INTO public.ff_due VALUES (3, 1700000239000, 227, '018bcfe5-6800-7000-8000-00000000002c');
INSERT INTO public.ff_due VALUES (0, 1700000239000, 44, '018bcfe5-6800-7000-8000-00000000002d');


--
-- Data for Name: ff_edge; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1e46f-c338-7000-8001-fade9967c05f', '018bcfe5-6800-7000-8001-000000000002', '018bcfe5-6800-7000-8001-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1e46f-c338-7000-8002-eeb48e74e41c', '018bcfe5-6800-7000-8001-000000000003', '018bcfe5-6800-7000-8001-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1e46f-c34e-7000-8001-55d8ba1a4b8c', '018bcfe5-6800-7000-8002-000000000002', '018bcfe5-6800-7000-8002-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1e46f-c34e-7000-8002-e4ec9789201d', '018bcfe5-6800-7000-8002-000000000003', '018bcfe5-6800-7000-8002-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1e46f-c358-7000-8000-076c3c427df4', '018bcfe5-6800-7000-8003-000000000001', '018bcfe5-6800-7000-8003-000000000004', 'left', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1e46f-c358-7000-8002-9068272d9f1a', '018bcfe5-6800-7000-8003-000000000003', '018bcfe5-6800-7000-8003-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1e46f-c363-7000-8001-21011e897fb0', '018bcfe5-6800-7000-8004-000000000002', '018bcfe5-6800-7000-8004-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1e46f-c363-7000-8002-d899632b0578', '018bcfe5-6800-7000-8004-000000000003', '018bcfe5-6800-7000-8004-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1e46f-c38e-7000-8002-d9a07dd5c2ce', '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-8005-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1e46f-c338-7000-8000-4153aef3c73b', '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-8001-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1e46f-c34e-7000-8000-c307dd359f18', '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-8002-000000000004', 'left', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1e46f-c358-7000-8001-3bc233031c85', '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-8003-000000000004', 'right', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1e46f-c363-7000-8000-b1e08793235c', '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-8004-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1e46f-c38e-7000-8000-b1b4272d6683', '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-8005-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1e46f-c38e-7000-8001-d133203aed81', '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-8005-000000000004', 'right', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (95, '018bcfe5-6800-7000-80ff-00000000000a', '01a1e46f-c547-7000-8000-cd9f14a7df61', '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-800a-000000000002', 'before', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (126, '018bcfe5-6800-7000-80ff-00000000000b', '01a1e46f-c55b-7000-8000-af0533b5442b', '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-800b-000000000002', 'before', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (211, '018bcfe5-6800-7000-80ff-000000000006', '01a1e46f-c503-7000-8000-bbc813f1a473', '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-8006-000000000002', 'before', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (242, '018bcfe5-6800-7000-80ff-000000000007', '01a1e46f-c513-7000-8000-94f58ead6934', '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-8007-000000000002', 'before', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (29, '018bcfe5-6800-7000-80ff-000000000008', '01a1e46f-c524-7000-8000-9b0c0ef71116', '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-8008-000000000002', 'before', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', '01a1e46f-c53b-7000-8000-d9e131544c4a', '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-8009-000000000002', 'before', 1700000236000, 3, 0, 1700000236000);
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

INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (3, '784', 2, 'schedule_paused', 'default', 0, NULL, NULL, 1, '{"schedule":"paused","reason":"look first"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (4, '785', 2, 'schedule_paused', 'default', 0, NULL, NULL, 1, '{"schedule":"often","reason":"for a moment"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (5, '786', 2, 'schedule_resumed', 'default', 0, NULL, NULL, 2, '{"schedule":"often"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (6, '788', 2, 'schedule_changed', 'default', 0, NULL, NULL, 1, '{"schedule":"nightly"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (7, '789', 2, 'schedule_forgotten', 'default', 0, NULL, NULL, 1, '{"schedule":"gone"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (8, '791', 0, 'acquired', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (9, '792', 1, 'completed', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 2, NULL, 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (10, '794', 0, 'acquired', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (11, '795', 1, 'completed', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 2, NULL, 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (12, '797', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (13, '798', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700000203000}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (14, '801', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 3, '{"attempt_index":1,"lease_epoch":2,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000212000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (15, '802', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 4, '{"code":"smtp_down","next_attempt_index":2,"delay_until_ms":1700000214000}', 1700000212000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (16, '805', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 5, '{"attempt_index":2,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000222000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (17, '806', 1, 'failed', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 6, '{"code":"smtp_down"}', 1700000222000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (18, '809', 0, 'acquired', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (19, '810', 1, 'failed', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 2, '{"code":"bad_address"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (20, '812', 0, 'acquired', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (21, '814', 0, 'acquired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (22, '816', 0, 'expired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (23, '816', 1, 'failed', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 3, '{"code":"worker_lost"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (24, '817', 1, 'failed', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 2, '{"code":"attempt_timeout"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (25, '818', 1, 'expired', 'default', 213, '018bcfe5-6800-7000-8000-000000000008', NULL, 1, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (26, '821', 1, 'cancelled', 'default', 252, '018bcfe5-6800-7000-8000-000000000009', NULL, 1, '{"reason":"not wanted","source":"operator_override"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (27, '823', 0, 'acquired', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (28, '824', 0, 'revoked', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 2, '{"reason":"stop"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (29, '824', 1, 'cancelled', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 3, '{"reason":"stop","source":"application"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (30, '826', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (31, '827', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (32, '828', 2, 'replayed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0,"steps":"cleared","steps_kept":0,"from_step":null}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (33, '829', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 4, '{"attempt_index":0,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"replay"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (34, '830', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 5, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (35, '832', 0, 'acquired', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (36, '833', 0, 'released', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (37, '835', 0, 'acquired', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (38, '836', 0, 'released', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 2, '{"delay_until_ms":1700003834000}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (39, '838', 0, 'acquired', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (40, '839', 0, 'revoked', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 2, '{"reason":"drain"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (41, '841', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (42, '842', 0, 'expired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (43, '845', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (44, '846', 1, 'completed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (45, '847', 2, 'replayed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0,"steps":"cleared","steps_kept":0,"from_step":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (46, '849', 2, 'held', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 1, '{"reason":"look first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (47, '850', 2, 'unheld', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (48, '860', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (49, '861', 1, 'completed', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (50, '862', 0, 'acquired', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (51, '863', 1, 'failed', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (55, '867', 1, 'completed', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (52, '864', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (53, '865', 1, 'completed', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (54, '866', 0, 'acquired', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (56, '868', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (57, '869', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (58, '870', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (59, '871', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (60, '872', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (61, '879', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (63, '881', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (66, '883', 0, 'acquired', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (67, '884', 1, 'failed', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (68, '884', 1, 'skipped', 'default', 242, '018bcfe5-6800-7000-8007-000000000002', '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (69, '884', 1, 'flow_failed', 'default', 242, NULL, '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (70, '885', 0, 'acquired', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (76, '888', 0, 'acquired', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (77, '889', 2, 'flow_cancel_requested', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-000000000009","cancellation_policy":"cancel_all","reason":"enough","member_count":2}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (78, '889', 1, 'flow_cancelled', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (79, '889', 0, 'revoked', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 2, '{"reason":"enough"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (80, '889', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 3, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (81, '889', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000002', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (82, '890', 0, 'acquired', 'default', 95, '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (83, '891', 2, 'flow_cancel_requested', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000a","cancellation_policy":"cancel_pending","reason":"enough","member_count":1}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (84, '891', 1, 'flow_cancelled', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (85, '891', 1, 'cancelled', 'default', 95, '018bcfe5-6800-7000-800a-000000000002', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (86, '892', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (87, '893', 2, 'flow_cancel_requested', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000b","cancellation_policy":"flow_only","reason":"enough","member_count":0}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (88, '893', 1, 'flow_cancelled', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (89, '900', 2, 'lane_paused', 'default', 0, NULL, NULL, 1, '{"lane":"paused","reason":"provider is down"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (90, '902', 2, 'lane_paused', 'default', 0, NULL, NULL, 1, '{"lane":"resumed","reason":"for a moment"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (91, '903', 2, 'lane_resumed', 'default', 0, NULL, NULL, 2, '{"lane":"resumed","paused_since_ms":1700000236000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (92, '905', 2, 'lane_paused', 'tenant-a', 0, NULL, NULL, 1, '{"lane":"default","reason":""}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (93, '908', 0, 'acquired', 'default', 232, '018bcfe5-6800-7000-8000-000000000015', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (95, '914', 0, 'acquired', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (96, '915', 0, 'suspended', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (97, '916', 3, 'delivered', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 3, '{"key":"editor","name":"verdict","signal_id":"ec539b12-4e16-85e9-aab8-51e15376c0bb","waitpoint_id":"102ffe25-865c-8d4d-a360-d9d550ef8295","source_identity":"bob","effect":"resumed"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (98, '916', 3, 'resumed', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 4, '{"name":"wait","cause":"signal"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (99, '917', 3, 'delivered', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 5, '{"key":"typo","name":"","signal_id":"3cc23c44-5ee5-8a57-815d-155b817dd459","waitpoint_id":"d6b1e452-8684-8fb8-ad99-e6a48c260717","source_identity":"","effect":"buffered"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (100, '918', 0, 'acquired', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 6, '{"attempt_index":0,"lease_epoch":2,"worker_instance_id":"worker-1/a","claim_type":"resume"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (101, '920', 1, 'completed', 'default', 81, '018bcfe5-6800-7000-8000-000000000016', NULL, 7, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (102, '922', 0, 'acquired', 'default', 147, '018bcfe5-6800-7000-8000-000000000017', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (103, '923', 0, 'suspended', 'default', 147, '018bcfe5-6800-7000-8000-000000000017', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":1700000237000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (104, '925', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8000-000000000018', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (105, '926', 0, 'suspended', 'default', 211, '018bcfe5-6800-7000-8000-000000000018', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":1700000237000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (106, '928', 0, 'acquired', 'default', 20, '018bcfe5-6800-7000-8000-000000000019', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (107, '929', 0, 'suspended', 'default', 20, '018bcfe5-6800-7000-8000-000000000019', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":1700000237000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (108, '930', 2, 'escalated', 'default', 20, '018bcfe5-6800-7000-8000-000000000019', NULL, 3, '{"name":"wait"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (62, '880', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (64, '882', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (65, '882', 1, 'flow_completed', 'default', 211, NULL, '018bcfe5-6800-7000-80ff-000000000006', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (71, '886', 1, 'failed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (72, '886', 1, 'skipped', 'default', 29, '018bcfe5-6800-7000-8008-000000000002', '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (73, '886', 1, 'flow_failed', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (74, '887', 2, 'flow_reopened', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (75, '887', 2, 'replayed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"failed","previous_attempt":0,"steps":"kept","steps_kept":0,"from_step":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (94, '910', 0, 'suspended', 'default', 232, '018bcfe5-6800-7000-8000-000000000015', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (112, '934', 0, 'suspended', 'default', 220, '018bcfe5-6800-7000-8000-00000000001a', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (113, '935', 1, 'cancelled', 'default', 220, '018bcfe5-6800-7000-8000-00000000001a', NULL, 3, '{"reason":"not wanted","source":"operator_override"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (121, '946', 0, 'suspended', 'default', 230, '018bcfe5-6800-7000-8000-00000000001d', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":1702592238000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (123, '949', 0, 'suspended', 'default', 75, '018bcfe5-6800-7000-8000-00000000001e', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (124, '950', 3, 'delivered', 'default', 75, '018bcfe5-6800-7000-8000-00000000001e', NULL, 3, '{"key":"editor","name":"","signal_id":"f7ad4497-4d10-8086-b6a3-bf1e6367057d","waitpoint_id":"69b82615-af51-82e6-af9a-33d31d65e0c3","source_identity":"","effect":"resumed"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (125, '950', 3, 'resumed', 'default', 75, '018bcfe5-6800-7000-8000-00000000001e', NULL, 4, '{"name":"wait","cause":"signal"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (132, '961', 3, 'delivered', 'default', 118, '018bcfe5-6800-7000-8000-000000000021', NULL, 1, '{"key":"editor","name":"","signal_id":"bcf4207f-10bd-8890-af86-60216dcc00ba","waitpoint_id":"b7d6c052-14c4-80d4-bb90-54baa297f88b","source_identity":"","effect":"buffered"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (139, '972', 1, 'completed', 'default', 161, 'ae61f511-0000-83ac-9b1c-faa745fcb0f5', NULL, 2, NULL, 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (140, '974', 0, 'acquired', 'default', 161, 'ae61f511-0001-8c26-8855-c8ccae7f4945', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (141, '975', 1, 'failed', 'default', 161, 'ae61f511-0001-8c26-8855-c8ccae7f4945', NULL, 2, '{"code":"not_found"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (143, '979', 2, 'priority_changed', 'default', 86, '018bcfe5-6800-7000-8000-000000000024', NULL, 1, '{"old_priority":0,"new_priority":7}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (144, '985', 2, 'held', 'default', 239, '018bcfe5-6800-7000-8000-000000000028', NULL, 1, '{"reason":"ask first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (109, '930', 3, 'resumed', 'default', 147, '018bcfe5-6800-7000-8000-000000000017', NULL, 3, '{"name":"wait","cause":"timeout"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (110, '930', 1, 'failed', 'default', 211, '018bcfe5-6800-7000-8000-000000000018', NULL, 3, '{"code":"wait_timeout"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (111, '933', 0, 'acquired', 'default', 220, '018bcfe5-6800-7000-8000-00000000001a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (114, '937', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-00000000001b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (115, '938', 0, 'suspended', 'default', 38, '018bcfe5-6800-7000-8000-00000000001b', NULL, 2, '{"names":["wait"],"keys":["vote"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (116, '939', 3, 'delivered', 'default', 38, '018bcfe5-6800-7000-8000-00000000001b', NULL, 3, '{"key":"vote","name":"","signal_id":"801e95c4-001d-8318-8da4-e08cec0cfacb","waitpoint_id":"c5ec335f-74ec-8eb0-b37c-634a47ff76fe","source_identity":"ann","effect":"counted"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (117, '940', 3, 'delivered', 'default', 38, '018bcfe5-6800-7000-8000-00000000001b', NULL, 4, '{"key":"vote","name":"","signal_id":"8e3c3e48-f015-83e3-a4dc-02e1071862a9","waitpoint_id":"c5ec335f-74ec-8eb0-b37c-634a47ff76fe","source_identity":"ann","effect":"buffered"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (118, '942', 0, 'acquired', 'default', 113, '018bcfe5-6800-7000-8000-00000000001c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (119, '943', 0, 'suspended', 'default', 113, '018bcfe5-6800-7000-8000-00000000001c', NULL, 2, '{"names":["wait"],"keys":[],"timeout_at_ms":1700003838000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (120, '945', 0, 'acquired', 'default', 230, '018bcfe5-6800-7000-8000-00000000001d', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (122, '948', 0, 'acquired', 'default', 75, '018bcfe5-6800-7000-8000-00000000001e', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (126, '952', 0, 'acquired', 'default', 104, '018bcfe5-6800-7000-8000-00000000001f', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (127, '953', 0, 'suspended', 'default', 104, '018bcfe5-6800-7000-8000-00000000001f', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (128, '954', 2, 'held', 'default', 104, '018bcfe5-6800-7000-8000-00000000001f', NULL, 3, '{"reason":"ask first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (129, '956', 0, 'acquired', 'default', 103, '018bcfe5-6800-7000-8000-000000000020', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (130, '957', 0, 'suspended', 'default', 103, '018bcfe5-6800-7000-8000-000000000020', NULL, 2, '{"names":["wait"],"keys":["editor"],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (131, '959', 2, 'waitpoint_closed', 'default', 103, '018bcfe5-6800-7000-8000-000000000020', NULL, 3, '{"key":"editor","waitpoint_id":"8b0dc052-7814-8089-8c1f-5e74666d06bb","reason":"the editor has left"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (133, '963', 0, 'acquired', 'default', 71, '018bcfe5-6800-7000-8000-000000000022', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (134, '966', 3, 'delivered', 'default', 71, '018bcfe5-6800-7000-8000-000000000022', NULL, 2, '{"key":"a","name":"","signal_id":"efd90080-2a2d-855a-aea4-5d26c4934fbc","waitpoint_id":"6b8b62a3-a64d-8a8f-bee3-b6fdcb08930d","source_identity":"","effect":"resumed"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (135, '966', 3, 'resumed', 'default', 71, '018bcfe5-6800-7000-8000-000000000022', NULL, 3, '{"name":"first","cause":"signal"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (136, '968', 0, 'acquired', 'default', 161, '018bcfe5-6800-7000-8000-000000000023', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (137, '970', 0, 'suspended', 'default', 161, '018bcfe5-6800-7000-8000-000000000023', NULL, 2, '{"names":["pages"],"keys":[],"timeout_at_ms":null}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (138, '971', 0, 'acquired', 'default', 161, 'ae61f511-0000-83ac-9b1c-faa745fcb0f5', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (142, '976', 3, 'resumed', 'default', 161, '018bcfe5-6800-7000-8000-000000000023', NULL, 3, '{"name":"pages","cause":"children"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (145, '987', 0, 'acquired', 'default', 59, '018bcfe5-6800-7000-8000-000000000029', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (146, '988', 0, 'retry_scheduled', 'default', 59, '018bcfe5-6800-7000-8000-000000000029', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700003838000}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (147, '990', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8000-00000000002a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (148, '995', 0, 'acquired', 'default', 7, '018bcfe5-6800-7000-8000-00000000002b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000238000);


--
-- Data for Name: ff_exec_core; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_exec_core VALUES (213, '018bcfe5-6800-7000-8000-000000000008', 'default', 'expired', NULL, 'mail', 0, NULL, NULL, 1700000232000, NULL, 3, 8, 5, 4, 10, 0, 0, 0, 0, 0, 0, 1, 1700000232000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, 1700000233000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (32, '018bcfe6-eea0-7643-9758-4c28ba83a61e', 'default', 'reports', NULL, 'report', 0, NULL, NULL, 1700000202000, '{"schedule.name":"often","schedule.slot":"2023-11-14T22:15:00.000Z"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (32, '018bcfe7-d900-765f-8002-33b1d051c5b2', 'default', 'reports', NULL, 'report', 0, NULL, NULL, 1700000202000, '{"schedule.name":"often","schedule.slot":"2023-11-14T22:16:00.000Z"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 'default', 'failed', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000202000, NULL, 3, 8, 5, 2, 8, 0, 2, 3, 2, 0, 0, 6, 1700000214000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000222000, NULL, NULL, NULL, NULL, 'smtp_down', 'no answer', NULL, NULL, 0, '3.b62c7e8cca0b', 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (194, '018bcfe5-6800-7000-8000-000000000002', 'default', 'completed', NULL, 'mail', 0, NULL, 'order-1', 1700000202000, '{"order.id":"1","team.name":"ü\n{}"}', 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000202000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.3e6355c7e857', 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (235, '018bcfe5-6800-7000-8000-000000000003', 'default', 'completed-without-a-result', NULL, 'mail', 0, '{"retention_ms":2592000000}', NULL, 1700000202000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000202000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.1a850ffac233', 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (252, '018bcfe5-6800-7000-8000-000000000009', 'default', 'cancelled', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, 'not wanted', 'operator_override', NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (160, '018bcfe5-6800-7000-8000-000000000005', 'default', 'failed-for-good-at-once', NULL, 'mail', 0, NULL, NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000232000, NULL, NULL, NULL, NULL, 'bad_address', '', NULL, NULL, 0, '1.963de56ca092', 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (2, '018bcfe5-6800-7000-8000-00000000000d', 'default', 'put-off', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 1, 2, 0, 1, 0, 0, 1, 0, 0, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, 1700003834000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.6765a79dfdbc', 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (78, '018bcfe5-6800-7000-8000-00000000000a', 'default', 'cancelled-while-it-ran', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, 1700000234000, NULL, NULL, 'stop', 'application', NULL, NULL, NULL, NULL, 0, '1.1f2c02082ed8', 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (163, '018bcfe5-6800-7000-8000-000000000007', 'default', 'lost', NULL, 'mail', 0, '{"max_interruptions":0}', NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 2, 0, 1, 0, 3, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000234000, NULL, NULL, NULL, NULL, 'worker_lost', 'interrupted once; the policy allows 0', NULL, NULL, 0, '1.43341cea4daf', 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (123, '018bcfe5-6800-7000-8000-000000000006', 'default', 'timed-out', NULL, 'mail', 0, '{"attempt_timeout_ms":1000}', NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 2, 0, 0, 0, 2, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000234000, NULL, NULL, NULL, NULL, 'attempt_timeout', 'the attempt ran longer than 1000 ms', NULL, NULL, 0, '1.13074d08093e', 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (69, '018bcfe5-6800-7000-8000-00000000000b', 'default', 'completed-twice', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 3, 8, 5, 1, 7, 0, 0, 3, 0, 0, 1, 5, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '3.d6f30edaeadd', 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (164, '018bcfe5-6800-7000-8000-00000000000c', 'default', 'released', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.236c5fec9fa5', 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (195, '018bcfe5-6800-7000-8000-00000000000e', 'default', 'revoked', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.34a7dcab20fe', 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000001', 'default', 'all-of-a', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.d2f41fb3ce02', 7273888828812475005, 'a', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8000-00000000000f', 'default', 'interrupted', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.35e3c083de8a', 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000001', 'default', 'any-of-a', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, 'boom', '', NULL, NULL, 0, '1.84868c7d836b', 7273888828812475005, 'a', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-8000-000000000010', 'default', 'replayed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 1, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.7cef3179311f', 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8000-000000000011', 'default', 'held-and-let-go', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000002', 'default', 'all-of-b', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'b', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000003', 'default', 'all-of-c', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'c', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000004', 'default', 'all-of-d', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'd', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000002', 'default', 'any-of-b', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'b', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000003', 'default', 'any-of-c', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'c', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000004', 'default', 'any-of-d', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'd', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000001', 'default', 'any-of-let-run-a', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'a', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000003', 'default', 'any-of-let-run-c', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'c', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000002', 'default', 'any-of-let-run-b', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.130f69a8a617', 7273888828812475005, 'b', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000004', 'default', 'any-of-let-run-d', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'd', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-800b-000000000002', 'default', 'flow-only-b', '018bcfe5-6800-7000-80ff-00000000000b', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'b', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-800b-000000000001', 'default', 'flow-only-a', '018bcfe5-6800-7000-80ff-00000000000b', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.d72d349f7a56', 7273888828812475005, 'a', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (29, '018bcfe5-6800-7000-8008-000000000002', 'default', 'reopened-flow-b', '018bcfe5-6800-7000-80ff-000000000008', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 5, 11, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'b', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (208, '018bcfe5-6800-7000-8063-000000000001', 'default', 'by-hand-a', '018bcfe5-6800-7000-80ff-000000000063', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (29, '018bcfe5-6800-7000-8008-000000000001', 'default', 'reopened-flow-a', '018bcfe5-6800-7000-80ff-000000000008', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 1, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.3321b8730cc2', 7273888828812475005, 'a', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (60, '018bcfe5-6800-7000-8009-000000000001', 'default', 'cancelled-flow-a', '018bcfe5-6800-7000-80ff-000000000009', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, '1.60e4da7a85a9', 7273888828812475005, 'a', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (60, '018bcfe5-6800-7000-8009-000000000002', 'default', 'cancelled-flow-b', '018bcfe5-6800-7000-80ff-000000000009', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'b', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (95, '018bcfe5-6800-7000-800a-000000000001', 'default', 'cancelled-pending-a', '018bcfe5-6800-7000-80ff-00000000000a', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.5bc9876e1732', 7273888828812475005, 'a', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (95, '018bcfe5-6800-7000-800a-000000000002', 'default', 'cancelled-pending-b', '018bcfe5-6800-7000-80ff-00000000000a', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'b', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (208, '018bcfe5-6800-7000-8063-000000000002', 'default', 'by-hand-b', '018bcfe5-6800-7000-80ff-000000000063', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (132, '018bcfe5-6800-7000-8000-000000000012', 'default', 'paused', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (56, '018bcfe5-6800-7000-8000-000000000013', 'default', 'resumed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (81, '018bcfe5-6800-7000-8000-000000000016', 'default', 'completed-after-a-wait', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 2, 0, 0, 0, 7, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '2.9a8366d130f4', 7273888828812475005, NULL, NULL, '{"signals":2}', NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000002', 'default', 'quorum-b', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'b', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000003', 'default', 'quorum-c', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'c', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000004', 'default', 'quorum-d', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'd', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8006-000000000001', 'default', 'completed-flow-a', '018bcfe5-6800-7000-80ff-000000000006', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.15ae22cdc880', 7273888828812475005, 'a', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000001', 'default', 'quorum-a', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.dd82c5e034b8', 7273888828812475005, 'a', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000001', 'default', 'quorum-let-run-a', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.a200ac2048a3', 7273888828812475005, 'a', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000002', 'default', 'quorum-let-run-b', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.02d686960f86', 7273888828812475005, 'b', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000004', 'default', 'quorum-let-run-d', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'd', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000003', 'default', 'quorum-let-run-c', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.bf41396e1d8a', 7273888828812475005, 'c', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8006-000000000002', 'default', 'completed-flow-b', '018bcfe5-6800-7000-80ff-000000000006', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.80e8ccacae9b', 7273888828812475005, 'b', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (242, '018bcfe5-6800-7000-8007-000000000001', 'default', 'failed-flow-a', '018bcfe5-6800-7000-80ff-000000000007', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, 'boom', '', NULL, NULL, 0, '1.7dd4d9bf9dac', 7273888828812475005, 'a', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (242, '018bcfe5-6800-7000-8007-000000000002', 'default', 'failed-flow-b', '018bcfe5-6800-7000-80ff-000000000007', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 5, 11, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, 'b', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (63, '018bcfe5-6800-7000-8000-000000000014', 'tenant-a', 'of-a-tenant', NULL, 'mail', 0, NULL, NULL, 1700000236000, '{"team.name":"a"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (75, '018bcfe5-6800-7000-8000-00000000001e', 'default', 'resumable', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 7, 0, 6, 0, 0, 1, 0, 0, 0, 4, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.d18a49c6f957', 7273888828812475005, NULL, NULL, '{"signals":1,"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (232, '018bcfe5-6800-7000-8000-000000000015', 'default', 'waiting-for-an-editor', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.da419b7f65b4', 7273888828812475005, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000236000,"reason":"an editor reads it","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000236000}}', 1700000236000, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (220, '018bcfe5-6800-7000-8000-00000000001a', 'default', 'cancelled-while-it-waited', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 4, 8, 6, 3, 9, 0, 0, 1, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, 1700000238000, NULL, NULL, 'not wanted', 'operator_override', NULL, NULL, NULL, NULL, 0, '1.2c62f32f2cc7', 7273888828812475005, NULL, NULL, '{}', NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8000-000000000021', 'default', 'signalled-before-it-waits', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, '{"signals":1}', NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (230, '018bcfe5-6800-7000-8000-00000000001d', 'default', 'waiting-with-a-timeout', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.f813f41555d9', 7273888828812475005, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000238000,"timeout_at_ms":1702592238000,"on_timeout":"cancel","reason":"waiting_for_signal","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', 1700000238000, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-000000000024', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000238000, '{"order.id":"2"}', 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 1, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-0000000003e7', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-000000000025', 'default', 'default', NULL, 'mail', 1, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-000000000026', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700086638000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (48, '018bcfe5-6800-7000-8000-000000000027', 'default', 'delayed', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700003838000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (38, '018bcfe5-6800-7000-8000-00000000001b', 'default', 'waiting-for-votes', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 4, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.e65013ef1068', 7273888828812475005, NULL, NULL, '{"signals":2,"waits":[{"name":"wait","condition":"{\"at_least\":2,\"of\":[\"vote\"],\"distinct\":\"sources\"}","since_ms":1700000238000,"reason":"waiting_for_signal","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', 1700000238000, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (20, '018bcfe5-6800-7000-8000-000000000019', 'default', 'escalated', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.783134ff00b4', 7273888828812475005, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000236000,"on_timeout":"escalate","reason":"waiting_for_signal","is_escalated":true,"lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000236000}}', 1700000236000, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (147, '018bcfe5-6800-7000-8000-000000000017', 'default', 'resumed-by-its-timeout', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 7, 0, 6, 0, 0, 1, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.15aec3bc18a9', 7273888828812475005, NULL, NULL, '{"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000236000}}', NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8000-000000000018', 'default', 'failed-by-the-timeout-of-a-wait', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000238000, NULL, NULL, NULL, NULL, 'wait_timeout', 'nothing ended the wait ''wait'' in time', NULL, NULL, 0, '1.3a8d45439fcb', 7273888828812475005, NULL, NULL, '{}', NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (104, '018bcfe5-6800-7000-8000-00000000001f', 'default', 'suspended-and-held', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.e0b9f9fab995', 7273888828812475005, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000238000,"reason":"waiting_for_signal","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000},"held":true}', 1700000238000, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (113, '018bcfe5-6800-7000-8000-00000000001c', 'default', 'sleeping', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.3ab11f57cb5d', 7273888828812475005, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"operator_only\":true}","since_ms":1700000238000,"timeout_at_ms":1700003838000,"reason":"sleeping","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', 1700000238000, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (103, '018bcfe5-6800-7000-8000-000000000020', 'default', 'waiting-at-a-closed-waitpoint', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 2, 8, 7, 0, 5, 0, 0, 1, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.ea359d0324d0', 7273888828812475005, NULL, NULL, '{"waits":[{"name":"wait","condition":"{\"on\":\"editor\"}","since_ms":1700000238000,"reason":"waiting_for_signal","lease_epoch":1}],"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000}}', 1700000238000, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (71, '018bcfe5-6800-7000-8000-000000000022', 'default', 'lingering', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 3, 1700000238000, 'worker-1', 'worker-1/a', 3600000, 1700003838000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.d16211e176de', 7273888828812475005, NULL, NULL, '{"signals":1,"waits":[{"name":"second","condition":"{\"on\":\"b\"}","since_ms":1700000238000,"reason":"waiting_for_signal","lease_epoch":1}],"unanswered":["first"]}', NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (161, 'ae61f511-0002-8c83-9a73-9f63983ab060', 'default', 'child-2', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, '018bcfe5-6800-7000-8000-000000000023', '{"group":"pages","index":2,"life":0,"depth":1}');
INSERT INTO public.ff_exec_core VALUES (59, '018bcfe5-6800-7000-8000-000000000029', 'default', 'waiting-for-its-retry', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000238000, NULL, 0, 1, 3, 0, 1, 0, 0, 1, 1, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, 1700003838000, NULL, NULL, NULL, 'smtp_down', '', NULL, NULL, 0, '1.38f3f5e96b3a', 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (161, 'ae61f511-0000-83ac-9b1c-faa745fcb0f5', 'default', 'child-0', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.f5647433e20b', 7273888828812475005, NULL, NULL, NULL, NULL, '018bcfe5-6800-7000-8000-000000000023', '{"group":"pages","index":0,"life":0,"depth":1}');
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8000-00000000002a', 'default', 'active', NULL, 'print', 0, '{"attempt_timeout_ms":7200000}', NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000238000, 'worker-1', 'worker-1/a', 3600000, 1700003838000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 40, 'half way', 0, '1.3330c39b4fb2', 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (227, '018bcfe5-6800-7000-8000-00000000002c', 'default', 'delayed-and-due', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000239000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (161, '018bcfe5-6800-7000-8000-000000000023', 'default', 'parent', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 7, 0, 6, 0, 0, 1, 0, 0, 0, 3, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.55d798c9d19d', 7273888828812475005, NULL, NULL, '{"attempt":{"worker_id":"worker-1","worker_instance_id":"worker-1/a","started_at_ms":1700000238000},"children":3,"groups":[{"name":"pages","total":3,"kinds":"c6f6325f4b108367","succeeded":1,"failed":1}]}', NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (161, 'ae61f511-0001-8c26-8855-c8ccae7f4945', 'default', 'child-1', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000238000, NULL, NULL, NULL, NULL, NULL, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, 'not_found', '', NULL, NULL, 0, '1.7e045639fd62', 7273888828812475005, NULL, NULL, NULL, NULL, '018bcfe5-6800-7000-8000-000000000023', '{"group":"pages","index":1,"life":0,"depth":1}');
INSERT INTO public.ff_exec_core VALUES (239, '018bcfe5-6800-7000-8000-000000000028', 'default', 'held', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (7, '018bcfe5-6800-7000-8000-00000000002b', 'default', 'active-with-an-expired-lease', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000238000, 'worker-1', 'worker-1/a', 1000, 1700000239000, 1700000238000, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.89ddd816bf12', 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (44, '018bcfe5-6800-7000-8000-00000000002d', 'default', 'past-its-deadline', NULL, 'mail', 0, NULL, NULL, 1700000238000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000238000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000239000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 7273888828812475005, NULL, NULL, NULL, NULL, NULL, NULL);


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
INSERT INTO public.ff_failure VALUES (59, '018bcfe5-6800-7000-8000-000000000029', 0, 1, 'smtp_down', '', NULL);


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
-- Data for Name: ff_lane; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_lane VALUES ('default', 'paused', 1700000236000, 'provider is down', 1);
INSERT INTO public.ff_lane VALUES ('default', 'resumed', NULL, '', 2);
INSERT INTO public.ff_lane VALUES ('tenant-a', 'default', 1700000236000, '', 1);


--
-- Data for Name: ff_meta; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_meta VALUES ('store', 'postgres-26638b6c012b-add7bf');
INSERT INTO public.ff_meta VALUES ('purged', '778:777:2');


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
INSERT INTO public.ff_payload VALUES (86, '018bcfe5-6800-7000-8000-000000000024', '\x77616974696e67');
INSERT INTO public.ff_payload VALUES (86, '018bcfe5-6800-7000-8000-0000000003e7', '\x6b657074');
INSERT INTO public.ff_payload VALUES (86, '018bcfe5-6800-7000-8000-000000000025', '\x77616974696e6720666f72206120677075');
INSERT INTO public.ff_payload VALUES (86, '018bcfe5-6800-7000-8000-000000000026', '\x77616974696e672077697468206120646561646c696e65');
INSERT INTO public.ff_payload VALUES (48, '018bcfe5-6800-7000-8000-000000000027', '\x64656c61796564');
INSERT INTO public.ff_payload VALUES (239, '018bcfe5-6800-7000-8000-000000000028', '\x68656c64');
INSERT INTO public.ff_payload VALUES (59, '018bcfe5-6800-7000-8000-000000000029', '\x77616974696e6720666f7220697473207265747279');
INSERT INTO public.ff_payload VALUES (52, '018bcfe5-6800-7000-8000-00000000002a', '\x616374697665');
INSERT INTO public.ff_payload VALUES (7, '018bcfe5-6800-7000-8000-00000000002b', '\x616374697665207769746820616e2065787069726564206c65617365');
INSERT INTO public.ff_payload VALUES (227, '018bcfe5-6800-7000-8000-00000000002c', '\x64656c6179656420616e6420647565');
INSERT INTO public.ff_payload VALUES (44, '018bcfe5-6800-7000-8000-00000000002d', '\x706173742069747320646561646c696e65');


--
-- Data for Name: ff_ready; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_ready VALUES ('default', 'reports', 0, 0, 1700000202000, '018bcfe6-eea0-7643-9758-4c28ba83a61e', 32);
INSERT INTO public.ff_ready VALUES ('default', 'reports', 0, 0, 1700000202000, '018bcfe7-d900-765f-8002-33b1d051c5b2', 32);
INSERT INTO public.ff_ready VALUES ('default', 'released', 0, 0, 1700000234000, '018bcfe5-6800-7000-8000-00000000000c', 164);
INSERT INTO public.ff_ready VALUES ('default', 'revoked', 0, 0, 1700000234000, '018bcfe5-6800-7000-8000-00000000000e', 195);
INSERT INTO public.ff_ready VALUES ('default', 'interrupted', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-00000000000f', 118);
INSERT INTO public.ff_ready VALUES ('default', 'replayed', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-000000000010', 126);
INSERT INTO public.ff_ready VALUES ('default', 'held-and-let-go', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-000000000011', 211);
INSERT INTO public.ff_ready VALUES ('default', 'all-of-b', 0, 0, 1700000236000, '018bcfe5-6800-7000-8001-000000000002', 52);
INSERT INTO public.ff_ready VALUES ('default', 'all-of-c', 0, 0, 1700000236000, '018bcfe5-6800-7000-8001-000000000003', 52);
INSERT INTO public.ff_ready VALUES ('default', 'any-of-b', 0, 0, 1700000236000, '018bcfe5-6800-7000-8002-000000000002', 87);
INSERT INTO public.ff_ready VALUES ('default', 'any-of-c', 0, 0, 1700000236000, '018bcfe5-6800-7000-8002-000000000003', 87);
INSERT INTO public.ff_ready VALUES ('default', 'any-of-let-run-a', 0, 0, 1700000236000, '018bcfe5-6800-7000-8003-000000000001', 118);
INSERT INTO public.ff_ready VALUES ('default', 'any-of-let-run-c', 0, 0, 1700000236000, '018bcfe5-6800-7000-8003-000000000003', 118);
INSERT INTO public.ff_ready VALUES ('default', 'quorum-b', 0, 0, 1700000236000, '018bcfe5-6800-7000-8004-000000000002', 145);
INSERT INTO public.ff_ready VALUES ('default', 'quorum-c', 0, 0, 1700000236000, '018bcfe5-6800-7000-8004-000000000003', 145);
INSERT INTO public.ff_ready VALUES ('default', 'any-of-let-run-d', 0, 0, 1700000236000, '018bcfe5-6800-7000-8003-000000000004', 118);
INSERT INTO public.ff_ready VALUES ('default', 'quorum-let-run-d', 0, 0, 1700000236000, '018bcfe5-6800-7000-8005-000000000004', 176);
INSERT INTO public.ff_ready VALUES ('default', 'reopened-flow-a', 0, 0, 1700000236000, '018bcfe5-6800-7000-8008-000000000001', 29);
INSERT INTO public.ff_ready VALUES ('default', 'by-hand-a', 0, 0, 1700000236000, '018bcfe5-6800-7000-8063-000000000001', 208);
INSERT INTO public.ff_ready VALUES ('default', 'paused', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-000000000012', 132);
INSERT INTO public.ff_ready VALUES ('default', 'resumed', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-000000000013', 56);
INSERT INTO public.ff_ready VALUES ('tenant-a', 'of-a-tenant', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-000000000014', 63);
INSERT INTO public.ff_ready VALUES ('default', 'resumed-by-its-timeout', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-000000000017', 147);
INSERT INTO public.ff_ready VALUES ('default', 'resumable', 0, 0, 1700000238000, '018bcfe5-6800-7000-8000-00000000001e', 75);
INSERT INTO public.ff_ready VALUES ('default', 'signalled-before-it-waits', 0, 0, 1700000238000, '018bcfe5-6800-7000-8000-000000000021', 118);
INSERT INTO public.ff_ready VALUES ('default', 'child-2', 0, 0, 1700000238000, 'ae61f511-0002-8c83-9a73-9f63983ab060', 161);
INSERT INTO public.ff_ready VALUES ('default', 'parent', 0, 0, 1700000238000, '018bcfe5-6800-7000-8000-000000000023', 161);
INSERT INTO public.ff_ready VALUES ('default', 'default', 0, -7, 1700000238000, '018bcfe5-6800-7000-8000-000000000024', 86);
INSERT INTO public.ff_ready VALUES ('default', 'default', 0, 0, 1700000238000, '018bcfe5-6800-7000-8000-0000000003e7', 86);
INSERT INTO public.ff_ready VALUES ('default', 'default', 1, 0, 1700000238000, '018bcfe5-6800-7000-8000-000000000025', 86);
INSERT INTO public.ff_ready VALUES ('default', 'default', 0, 0, 1700000238000, '018bcfe5-6800-7000-8000-000000000026', 86);
INSERT INTO public.ff_ready VALUES ('default', 'past-its-deadline', 0, 0, 1700000238000, '018bcfe5-6800-7000-8000-00000000002d', 44);


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

INSERT INTO public.ff_schedule VALUES ('default', 'paused', 'report', '\x', '\x', NULL, NULL, 3600000, 333, 'last', 'default', 0, NULL, '[]', NULL, NULL, 1700000002000, 1700000002000, 1700000002000, 1700000002000, NULL, 1700000002000, 'look first', 1);
INSERT INTO public.ff_schedule VALUES ('default', 'often', 'report', '\x6f6674656e', '\x', NULL, NULL, 60000, 0, 'last', 'reports', 0, NULL, '[]', NULL, NULL, 1700000002000, 1700000002000, 1700000202000, 1700000202000, 1700000160000, NULL, NULL, 2);
INSERT INTO public.ff_schedule VALUES ('default', 'nightly', 'report', '\x', '\x', '30 3 * * *', 'Europe/Berlin', NULL, NULL, 'last', 'default', 0, NULL, '[]', NULL, NULL, 1700000002000, 1700000202000, 1700000202000, 1700000202000, NULL, NULL, NULL, 1);


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
-- Data for Name: ff_step; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_step VALUES (81, '018bcfe5-6800-7000-8000-000000000016', 'wait', '\x677b307abf4e6a7b726f3c0ca1cec9cb', '\x83a474797065a8576169744f766572a77369676e616c739188a474797065a65369676e616ca97369676e616c5f6964d92465633533396231322d346531362d383565392d616162382d353165313533373663306262a36b6579a6656469746f72a46e616d65a776657264696374a77061796c6f6164c40700ff2066696e65a6736f75726365a3626f62af64656c6976657265645f61745f6d73cf0000018bcfe901e0ae636c61696d65645f736f75726365a0a56361757365a67369676e616c', 0, 1700000236000, 1, 1, 1);
INSERT INTO public.ff_step VALUES (81, '018bcfe5-6800-7000-8000-000000000016', 'publish', '\x70', '\x7075626c6973686564', 0, 1700000236000, 2, 0, 1);
INSERT INTO public.ff_step VALUES (147, '018bcfe5-6800-7000-8000-000000000017', 'wait', '\x677b307abf4e6a7b726f3c0ca1cec9cb', '\x83a474797065a8576169744f766572a77369676e616c7390a56361757365a774696d656f7574', 0, 1700000238000, 1, 1, 1);
INSERT INTO public.ff_step VALUES (75, '018bcfe5-6800-7000-8000-00000000001e', 'wait', '\x677b307abf4e6a7b726f3c0ca1cec9cb', '\x83a474797065a8576169744f766572a77369676e616c739188a474797065a65369676e616ca97369676e616c5f6964d92466376164343439372d346431302d383038362d623661332d626631653633363730353764a36b6579a6656469746f72a46e616d65a0a77061796c6f6164c405676f206f6ea6736f75726365a0af64656c6976657265645f61745f6d73cf0000018bcfe909b0ae636c61696d65645f736f75726365a0a56361757365a67369676e616c', 0, 1700000238000, 1, 1, 1);
INSERT INTO public.ff_step VALUES (71, '018bcfe5-6800-7000-8000-000000000022', 'first', '\x3044e7e4c059180fe3d287f6304d7818', '\x83a474797065a8576169744f766572a77369676e616c739188a474797065a65369676e616ca97369676e616c5f6964d92465666439303038302d326132642d383535612d616561342d356432366334393334666263a36b6579a161a46e616d65a0a77061796c6f6164c4296f7665722c20616e642074686520776f726b657220646f6573206e6f74206b6e6f7720697420796574a6736f75726365a0af64656c6976657265645f61745f6d73cf0000018bcfe909b0ae636c61696d65645f736f75726365a0a56361757365a67369676e616c', 0, 1700000238000, 1, 1, 1);
INSERT INTO public.ff_step VALUES (161, '018bcfe5-6800-7000-8000-000000000023', 'pages', '\x5888389aefb1bfb5a456b758a23badc3', '\x83a474797065a8576169744f766572a77369676e616c7390a56361757365a86368696c6472656e', 0, 1700000238000, 1, 1, 1);
INSERT INTO public.ff_step VALUES (52, '018bcfe5-6800-7000-8000-00000000002a', 'fetch', '\x6631', '\x7b227061676573223a20337d', 0, 1700000238000, 1, 0, 1);
INSERT INTO public.ff_step VALUES (52, '018bcfe5-6800-7000-8000-00000000002a', 'render', '\x6632', '\x', 0, 1700000238000, 2, 0, 1);


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
INSERT INTO public.ff_tag VALUES (86, '018bcfe5-6800-7000-8000-000000000024', 'order.id', '2', 1700000238000);


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

SELECT pg_catalog.setval('public.ff_capability_set_capability_set_seq', 1, true);


--
-- Name: ff_event_event_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ff_event_event_id_seq', 148, true);


--
-- Name: ff_alias ff_alias_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_alias
    ADD CONSTRAINT ff_alias_pkey PRIMARY KEY (namespace, alias);


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
-- Name: ff_lane ff_lane_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_lane
    ADD CONSTRAINT ff_lane_pkey PRIMARY KEY (namespace, lane_id);


--
-- Name: ff_meta ff_meta_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_meta
    ADD CONSTRAINT ff_meta_pkey PRIMARY KEY (name);


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
-- Name: ff_batch_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_batch_age ON public.ff_batch USING btree (committed_at_ms);


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
-- Name: ff_ready_order; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX ff_ready_order ON public.ff_ready USING btree (namespace, lane_id, capability_set, rank, ready_at_ms, execution_id, partition_key);


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


