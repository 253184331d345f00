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
    CONSTRAINT ff_exec_core_attempt_state_check CHECK (((attempt_state >= 0) AND (attempt_state <= 6))),
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
    ('{pending_first_attempt,running_attempt,attempt_interrupted,pending_retry_attempt,pending_replay_attempt,attempt_terminal,cancelled}'::text[])[(ff_exec_core.attempt_state + 1)] AS attempt_state,
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
    ff_exec_core.execution_kind AS kind
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
          WHERE ((t.partition_key = e.partition_key) AND (t.execution_id = e.execution_id) AND (t.key = 'cairn.instance_id'::text))) AS instance_tag
   FROM (public.ff_event e
     CROSS JOIN ( VALUES (true)) read_only)
  WHERE (e.channel = 3);


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
    number integer
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
INSERT INTO public.ff_attempt VALUES (59, '018bcfe5-6800-7000-8000-00000000001a', 0, 1, 'worker-1', 'worker-1/a', 1700000236000, 1700000236000, 2);


--
-- Data for Name: ff_batch; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_batch VALUES ('\xc317cd3c9c6060d8bcad8b74349c828e', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\xb71e118fe5ee80ef158b00b84ebf1da6', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\xd48f7b9e51bb885c249abf60fda8670d', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\xcc1c0760a77a932f934fadf6905db0bd', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x6d8a45fba908d514ae9b041bf5494af0', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x46d27e8c1672e91765dedd35f8ccb05d', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x0e3ee89e6fb7b17eb5e07545c6291566', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x36d62c8e00c3a7f31ec4cab26e18e10f', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xbb49a7931442d6e59567b45c50c52cd9', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xc120ac7fb9b1d1cd8a9b4bb5e93525d1', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xf9a46b3eee60bb690aa0468c13e457bd', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xa73aecc2557d9f1b3cabd2623d741f78', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x251380cf54057d913181fbc8335fc8e1', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x50322f4ddd60933efe468af5bffe4168', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x4a6304b266120de3d4c521166f674d37', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xac14149a263b3f02c0de30cc6059f00d', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x80d66c40b4a25691f830337f981fde18', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x10f065cb5351c4941bda03627d9ce47c', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x004f9cf30366eabb90d29811fdb5ed96', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xf13879ef026d0d80b9ee1e0b1ad246da', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x74e9f388679b60680d36c7d753919852', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x327e86a248fbd3ce82177157b3fc63bf', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xf3f44adeae42529a96cc05c773179f54', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x645c384ac1ae2e07c2d2790c42ca0b07', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x65240780e23359aed819d5d0d1ecfc02', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\x15f5a5916c81771fb2ad7005218c758f', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\x5de040c363a02e1d5c31a2414db88b08', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\xbb08bd0da564f1ee19bd5f243bde0520', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\xf3d4fd7679730ea09e46b23c52ffed3a', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\x68a62920067dd5f2b80d4b82aed34e75', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\xa6847dc08f1627cbba750ca969db870f', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\xf1fefe3c3fa7255b653eeca9d2b07a3e', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\x69d16b06482b1629ecc8be42dae9ac8d', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\xf56323d4f1d7fa521acf8d05bceb5144', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x647c23283f1530303c3c7f030d77623c', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x8a04f45056b4f257a60fc29ad6b49a42', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\xcafc6356a87ec8eab863be028c58b911', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x94d09f355f9b936971b61850f39315d9', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x609446d0ccab6ec36c9a67c48e5ae3d1', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x89a386f29b85eaa467c9a3eadcf6184a', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\xabb428efebfd73dd7c2567184c56fa95', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x9fbade53b76d1cd1d88b55107dd21302', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xa50f65023f0ad709c61ac42516b22fde', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x9f1fa3aa8c2dbcb984085b6abd378bda', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x8f62037f6dbf2b56df97b60b28c5397d', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x95d1e9196aa45f0fa107441313359440', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x2c9525feafbc66afa77a4a7ec48a79d8', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x245cca74aecdc29e45992e0321eda7ba', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x8bca8a2dac877078226859681c4ed1d7', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x08338ca8cef1079e7e6179e19fe80563', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xc26daf7cb920f0e582b5c69fa4996c46', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x66ffac7f7ff9d2b9f9d1cf90038d3d3e', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x361d4a6199eb6b0d2f403a8e3e2e1574', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xc399cf61404e582f60b1552187109024', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x917f2204ce5fde81d36a6ae15c980eea', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x238e63e8d1f87ea07e709a5b9492bad8', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xa4241cef4c17d5238b4c7c97daedfbf2', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x35ef995c8b04481c6a8f4e564014b9e7', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x16e5559e2c76bc81cd81250cfd996dcc', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xd9da2f59e96225b6819b0e86db269b13', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xbf7ddeced44ff03ca09b4875c7d733a0', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x59ade58440489faaee05e1a8c7fb72c1', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x3b50e25221b6bfcd6ce1930e7b81ba50', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xb8e7dd5c8a01785e384b82460aa52c91', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x3005fe252e95f591c44b808875661dba', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x3cae2a53eb8eec6b52a862f685a7cfa8', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x2599f7b2c7ee137b5ff2fc49fcf2c20e', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x400eeaad35849b6d14159b587f401eaf', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa5c9abfb60c2c320e4ea53bcba676715', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x673e0070d03b14c0a0057501e5e91031', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xfd8fecd4f90ba7522baa92e18bfe1157', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x560ff9091a0e94e2ebe9474b3f9a1386', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xcafebec68cd596909c91bab851a85329', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xcf9180a68f0e0757f7250af1f1057813', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x134d2d4194c637572d1125c2755375a8', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa6c51f5fb33213bdff84457a32219f76', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7aa3f666b3064e087097da7206eb39ab', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb6109b0c9d8e8cbd48ced5600506e0af', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc3054022adcbd0224af663ebb26c4c86', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xdbdfe5602e7977775c5fa316419a23cc', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe2be5cbdbeb618b64151e7009d4c6521', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9ff4acd2594f267028d5a6b712366af0', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xcc14fa8473384e51d3b5a79e1ac05d70', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xbb77b70e76ed2c84b0e217beb80be288', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x358450a5edea31a4407de482f7140f2e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb9f0839c5321c989cd47170c86b6668e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x3c7a234b45f1d495f9f15180a97c9431', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x3dd6bc50497cba3aeab2f384e17b6d7d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x3230223c861f2e08a2e5b06877183994', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe96592cf954102e0d1958d8a4df71881', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd68442a73c4992264d5147538f227239', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x43bac246367ead8fc895b6ada75c29c4', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xec593634d78486b2c75e9bc86e941fc5', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf30fbcba5c48f2db7a0a66428d6b09c7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe259d860bfef2b7ffca34f0520f3f68e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xda1d2ceec7d42ad17b821ac4609d45bb', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x586b2fe4befdc7f7fac2ef8cfaf1311a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x4af2798ce1d0e99b2ac8a3f2d2b88e3e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x58351239dfe615aaaf5753374c1c82b2', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x05e763ca2ff8b0330a54a69d24e9d462', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd76a77821efbcf6dac6688e27b9ae6b9', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf4b96bedb391b2feed32247e6bf77ac4', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x476e4356b29ac4310c815f38b8411e7d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x079d782778f2c3aa9de6adf9d90001ac', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb8613c0c71d32fcc48d5cff9d66e3694', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xde18395b1d080d58461efa892d044ab1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x0b8434d98a0ece1eb82a4912f3ff491e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf8529a31f12eee195849060841d35766', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xeadfeedf15bfa0ef19dba34a9e656071', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8c6ebffcc74280c20c1a5fca4214fe48', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x81e0f98016f7940080596bc9c31b8ddf', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x648cca90e9ac8bd7bbb14cef552ed2ce', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xdcce9c8dc748dd50b1881cd33bbca625', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xdaf2cb5dda8b2d3c6f284f2b6f2dd6c4', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x066ca1bf31e4194115b70b7734e4460c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5e8353d6a39620addc75613d47c6a54c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa13c653f6858daebf4e3fa80985a73f8', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5bc26918207d3ca69c8a52bdb9c2c041', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8708ae7f1e8a60650e7d3646231dea70', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb8f9266cde3f6b3c604a16b779cfd14e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x44470ab54dec1a9cded679863205254b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7e1f4c423ca1a568ab19fd06363e17bc', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xfd1d5567c8b114cc11dce81b9f74dac6', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9271fed7067a1b62d3e5946901d8dd2b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x2cfe66ec1b4e989561b5210d286813c7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7fcf6a705cd41b03ed8b276ad56c8fe8', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd0e8ceccf92d5784384d3c3bebab239f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xce55dc3acbc15447c68b180627f28811', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xdf0ffc18bc14745f67a3f2bfcca29876', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa77b9ce123ccc04566bd9ecafe05d530', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8b48cab14c4f89d8d19768885809b362', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x851812cf4a71de577f36844da690b13b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1f8c0b7555ff92c7c99505ca8c22cb20', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x6a92d138fabf3f143a868c5dea23950d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc591a6f1e4ba5bc3f8450537bad216cd', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xde040143e534e7dc66d0431303c0f235', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xcd88c531f0d2ce943e531fd1b6c0a76c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x4f759623b288ff4d279dbd9cb14296f8', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xcc5d4a43f51653475c9160252a8cc865', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x6f56a01aee9449fc6771aa774bb94b33', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x62388a7a861f8218f46ab4396b801917', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8952e2cac98926b2a3a9e4d149104825', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x034e2f7da52a25cf25970acbbc412962', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xede9cb92f9ce8acc8dcc170e851d7b01', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x433ce24f2f6d6badeadfe77f80bfb72b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5304ca914c1956a22814848b60a0b602', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1d16613b08b330e1d234f66bf72cc053', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa5386d09e886d8dd1a98c5f607080040', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xbf8ac752b2cfde19c02656adb790e916', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc994d70401c061f4b245d4272e1fd432', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7bd480a877f571e4ef5459b434a58f4d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1708f054aec6eac72937c4ee2e3112b8', 1700000236000);


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
INSERT INTO public.ff_command VALUES ('', 'create-1', '\x05ffcf6ffc4116e2391770c27800b35a', '\x82a7616e73776572739183a474797065a743726561746564ac657865637574696f6e5f6964d92c7b66703a38367d3a30313862636665352d363830302d373030302d383030302d303030303030303030336537ac7075626c69635f7374617465a777616974696e67a769735f6c697374c2', 1700086636000);


--
-- Data for Name: ff_due; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_due VALUES (4, 1702592202000, 235, '018bcfe5-6800-7000-8000-000000000003');
INSERT INTO public.ff_due VALUES (3, 1700003834000, 2, '018bcfe5-6800-7000-8000-00000000000d');
INSERT INTO public.ff_due VALUES (2, 1700003836000, 176, '018bcfe5-6800-7000-8005-000000000003');
INSERT INTO public.ff_due VALUES (2, 1700003836000, 95, '018bcfe5-6800-7000-800a-000000000001');
INSERT INTO public.ff_due VALUES (2, 1700003836000, 126, '018bcfe5-6800-7000-800b-000000000001');
INSERT INTO public.ff_due VALUES (0, 1700086636000, 86, '018bcfe5-6800-7000-8000-000000000017');
INSERT INTO public.ff_due VALUES (3, 1700003836000, 48, '018bcfe5-6800-7000-8000-000000000018');
INSERT INTO public.ff_due VALUES (3, 1700003836000, 59, '018bcfe5-6800-7000-8000-00000000001a');
INSERT INTO public.ff_due VALUES (2, 1700003836000, 52, '018bcfe5-6800-7000-8000-00000000001b');
INSERT INTO public.ff_due VALUES (2, 1700000237000, 7, '018bcfe5-6800-7000-8000-00000000001c');
INSERT INTO public.ff_due VALUES (3, 1700000237000, 227, '018bcfe5-6800-7000-8000-00000000001d');
INSERT INTO public.ff_due VALUES (0, 1700000237000, 44, '018bcfe5-6800-7000-8000-00000000001e');


--
-- Data for Name: ff_edge; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f4-8561-7000-8001-81cccdace765', '018bcfe5-6800-7000-8001-000000000002', '018bcfe5-6800-7000-8001-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f4-8561-7000-8002-5e8c5f392004', '018bcfe5-6800-7000-8001-000000000003', '018bcfe5-6800-7000-8001-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f4-8564-7000-8001-88359df8bc44', '018bcfe5-6800-7000-8002-000000000002', '018bcfe5-6800-7000-8002-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f4-8564-7000-8002-3c9bbee6f85e', '018bcfe5-6800-7000-8002-000000000003', '018bcfe5-6800-7000-8002-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f4-8567-7000-8000-0293402b8f28', '018bcfe5-6800-7000-8003-000000000001', '018bcfe5-6800-7000-8003-000000000004', 'left', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f4-8567-7000-8002-8af2f921967c', '018bcfe5-6800-7000-8003-000000000003', '018bcfe5-6800-7000-8003-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f4-856b-7000-8001-0380d749d50f', '018bcfe5-6800-7000-8004-000000000002', '018bcfe5-6800-7000-8004-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f4-856b-7000-8002-8bed354fbfe4', '018bcfe5-6800-7000-8004-000000000003', '018bcfe5-6800-7000-8004-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f4-856d-7000-8002-59f1aa888070', '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-8005-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f4-8561-7000-8000-973ff19c45ef', '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-8001-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f4-8564-7000-8000-cab463d3227d', '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-8002-000000000004', 'left', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f4-8567-7000-8001-0c223b3c2e61', '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-8003-000000000004', 'right', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f4-856b-7000-8000-0fdd44afbae7', '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-8004-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f4-856d-7000-8000-c078711e88ba', '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-8005-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f4-856d-7000-8001-355f3186e4c2', '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-8005-000000000004', 'right', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (95, '018bcfe5-6800-7000-80ff-00000000000a', '01a1f1f4-85b7-7000-8000-3145c05863b3', '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-800a-000000000002', 'before', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (126, '018bcfe5-6800-7000-80ff-00000000000b', '01a1f1f4-85b8-7000-8000-e198291c6ef5', '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-800b-000000000002', 'before', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (211, '018bcfe5-6800-7000-80ff-000000000006', '01a1f1f4-85a0-7000-8000-87c5bc274094', '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-8006-000000000002', 'before', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (242, '018bcfe5-6800-7000-80ff-000000000007', '01a1f1f4-85ab-7000-8000-bb7b8f1224d2', '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-8007-000000000002', 'before', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (29, '018bcfe5-6800-7000-80ff-000000000008', '01a1f1f4-85ac-7000-8000-06cd04f218d3', '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-8008-000000000002', 'before', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', '01a1f1f4-85ad-7000-8000-dbc6d20c6d7c', '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-8009-000000000002', 'before', 1700000236000, 3, 0, 1700000236000);
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

INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (3, '782', 2, 'schedule_paused', 'default', 0, NULL, NULL, 1, '{"schedule":"paused","reason":"look first"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (4, '783', 2, 'schedule_paused', 'default', 0, NULL, NULL, 1, '{"schedule":"often","reason":"for a moment"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (5, '784', 2, 'schedule_resumed', 'default', 0, NULL, NULL, 2, '{"schedule":"often"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (6, '786', 2, 'schedule_changed', 'default', 0, NULL, NULL, 1, '{"schedule":"nightly"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (7, '787', 2, 'schedule_forgotten', 'default', 0, NULL, NULL, 1, '{"schedule":"gone"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (8, '789', 0, 'acquired', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (9, '790', 1, 'completed', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 2, NULL, 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (10, '792', 0, 'acquired', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (11, '793', 1, 'completed', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 2, NULL, 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (12, '795', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (13, '796', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700000203000}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (14, '799', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 3, '{"attempt_index":1,"lease_epoch":2,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000212000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (15, '800', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 4, '{"code":"smtp_down","next_attempt_index":2,"delay_until_ms":1700000214000}', 1700000212000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (16, '803', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 5, '{"attempt_index":2,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000222000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (17, '804', 1, 'failed', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 6, '{"code":"smtp_down"}', 1700000222000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (18, '807', 0, 'acquired', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (19, '808', 1, 'failed', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 2, '{"code":"bad_address"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (20, '810', 0, 'acquired', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (21, '812', 0, 'acquired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (22, '814', 0, 'expired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (23, '814', 1, 'failed', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 3, '{"code":"worker_lost"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (24, '815', 1, 'failed', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 2, '{"code":"attempt_timeout"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (25, '816', 1, 'expired', 'default', 213, '018bcfe5-6800-7000-8000-000000000008', NULL, 1, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (26, '819', 1, 'cancelled', 'default', 252, '018bcfe5-6800-7000-8000-000000000009', NULL, 1, '{"reason":"not wanted","source":"operator_override"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (27, '821', 0, 'acquired', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (28, '822', 0, 'revoked', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 2, '{"reason":"stop"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (29, '822', 1, 'cancelled', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 3, '{"reason":"stop","source":"application"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (30, '824', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (31, '825', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (32, '826', 2, 'replayed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0,"steps":"cleared","steps_kept":0,"from_step":null}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (33, '827', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 4, '{"attempt_index":0,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"replay"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (34, '828', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 5, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (35, '830', 0, 'acquired', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (36, '831', 0, 'released', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (37, '833', 0, 'acquired', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (38, '834', 0, 'released', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 2, '{"delay_until_ms":1700003834000}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (39, '836', 0, 'acquired', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (40, '837', 0, 'revoked', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 2, '{"reason":"drain"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (41, '839', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (42, '840', 0, 'expired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (43, '843', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (44, '844', 1, 'completed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (45, '845', 2, 'replayed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0,"steps":"cleared","steps_kept":0,"from_step":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (46, '847', 2, 'held', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 1, '{"reason":"look first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (47, '848', 2, 'unheld', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (48, '858', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (49, '859', 1, 'completed', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (50, '860', 0, 'acquired', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (51, '861', 1, 'failed', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (55, '865', 1, 'completed', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (52, '862', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (53, '863', 1, 'completed', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (54, '864', 0, 'acquired', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (56, '866', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (57, '867', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (58, '868', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (59, '869', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (60, '870', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (61, '877', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (63, '879', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (66, '881', 0, 'acquired', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (67, '882', 1, 'failed', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (68, '882', 1, 'skipped', 'default', 242, '018bcfe5-6800-7000-8007-000000000002', '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (69, '882', 1, 'flow_failed', 'default', 242, NULL, '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (70, '883', 0, 'acquired', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (76, '886', 0, 'acquired', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (77, '887', 2, 'flow_cancel_requested', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-000000000009","cancellation_policy":"cancel_all","reason":"enough","member_count":2}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (78, '887', 1, 'flow_cancelled', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (79, '887', 0, 'revoked', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 2, '{"reason":"enough"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (80, '887', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 3, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (81, '887', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000002', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (82, '888', 0, 'acquired', 'default', 95, '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (83, '889', 2, 'flow_cancel_requested', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000a","cancellation_policy":"cancel_pending","reason":"enough","member_count":1}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (84, '889', 1, 'flow_cancelled', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (85, '889', 1, 'cancelled', 'default', 95, '018bcfe5-6800-7000-800a-000000000002', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (86, '890', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (87, '891', 2, 'flow_cancel_requested', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000b","cancellation_policy":"flow_only","reason":"enough","member_count":0}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (88, '891', 1, 'flow_cancelled', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (89, '898', 2, 'lane_paused', 'default', 0, NULL, NULL, 1, '{"lane":"paused","reason":"provider is down"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (90, '900', 2, 'lane_paused', 'default', 0, NULL, NULL, 1, '{"lane":"resumed","reason":"for a moment"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (91, '901', 2, 'lane_resumed', 'default', 0, NULL, NULL, 2, '{"lane":"resumed","paused_since_ms":1700000236000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (92, '903', 2, 'lane_paused', 'tenant-a', 0, NULL, NULL, 1, '{"lane":"default","reason":""}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (93, '906', 2, 'priority_changed', 'default', 86, '018bcfe5-6800-7000-8000-000000000015', NULL, 1, '{"old_priority":0,"new_priority":7}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (94, '912', 2, 'held', 'default', 239, '018bcfe5-6800-7000-8000-000000000019', NULL, 1, '{"reason":"ask first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (95, '914', 0, 'acquired', 'default', 59, '018bcfe5-6800-7000-8000-00000000001a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (97, '917', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8000-00000000001b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (98, '922', 0, 'acquired', 'default', 7, '018bcfe5-6800-7000-8000-00000000001c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (62, '878', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (64, '880', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (65, '880', 1, 'flow_completed', 'default', 211, NULL, '018bcfe5-6800-7000-80ff-000000000006', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (71, '884', 1, 'failed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (72, '884', 1, 'skipped', 'default', 29, '018bcfe5-6800-7000-8008-000000000002', '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (73, '884', 1, 'flow_failed', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (74, '885', 2, 'flow_reopened', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (75, '885', 2, 'replayed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"failed","previous_attempt":0,"steps":"kept","steps_kept":0,"from_step":null}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (96, '915', 0, 'retry_scheduled', 'default', 59, '018bcfe5-6800-7000-8000-00000000001a', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700003836000}', 1700000236000);


--
-- Data for Name: ff_exec_core; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_exec_core VALUES (213, '018bcfe5-6800-7000-8000-000000000008', 'default', 'expired', NULL, 'mail', 0, NULL, NULL, 1700000232000, NULL, 3, 8, 5, 4, 10, 0, 0, 0, 0, 0, 0, 1, 1700000232000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, 1700000233000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (32, '018bcfe6-eea0-7643-9758-4c28ba83a61e', 'default', 'reports', NULL, 'report', 0, NULL, NULL, 1700000202000, '{"schedule.name":"often","schedule.slot":"2023-11-14T22:15:00.000Z"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (32, '018bcfe7-d900-765f-8002-33b1d051c5b2', 'default', 'reports', NULL, 'report', 0, NULL, NULL, 1700000202000, '{"schedule.name":"often","schedule.slot":"2023-11-14T22:16:00.000Z"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 'default', 'failed', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000202000, NULL, 3, 8, 5, 2, 8, 0, 2, 3, 2, 0, 0, 6, 1700000214000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000222000, NULL, NULL, NULL, NULL, 'smtp_down', 'no answer', NULL, NULL, 0, '3.8b84ded6a383', 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (194, '018bcfe5-6800-7000-8000-000000000002', 'default', 'completed', NULL, 'mail', 0, NULL, 'order-1', 1700000202000, '{"order.id":"1","team.name":"ü\n{}"}', 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000202000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.070cf898d823', 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (235, '018bcfe5-6800-7000-8000-000000000003', 'default', 'completed-without-a-result', NULL, 'mail', 0, '{"retention_ms":2592000000}', NULL, 1700000202000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000202000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.3b4ede2fce12', 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (252, '018bcfe5-6800-7000-8000-000000000009', 'default', 'cancelled', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, 'not wanted', 'operator_override', NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (160, '018bcfe5-6800-7000-8000-000000000005', 'default', 'failed-for-good-at-once', NULL, 'mail', 0, NULL, NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000232000, NULL, NULL, NULL, NULL, 'bad_address', '', NULL, NULL, 0, '1.4eb1d09aabbe', 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (2, '018bcfe5-6800-7000-8000-00000000000d', 'default', 'put-off', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 1, 2, 0, 1, 0, 0, 1, 0, 0, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, 1700003834000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.c8cfb0122e04', 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (78, '018bcfe5-6800-7000-8000-00000000000a', 'default', 'cancelled-while-it-ran', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, 1700000234000, NULL, NULL, 'stop', 'application', NULL, NULL, NULL, NULL, 0, '1.c5f318eb1c24', 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (163, '018bcfe5-6800-7000-8000-000000000007', 'default', 'lost', NULL, 'mail', 0, '{"max_interruptions":0}', NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 2, 0, 1, 0, 3, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000234000, NULL, NULL, NULL, NULL, 'worker_lost', 'interrupted once; the policy allows 0', NULL, NULL, 0, '1.db91f5cf3aa7', 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (123, '018bcfe5-6800-7000-8000-000000000006', 'default', 'timed-out', NULL, 'mail', 0, '{"attempt_timeout_ms":1000}', NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 2, 0, 0, 0, 2, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000234000, NULL, NULL, NULL, NULL, 'attempt_timeout', 'the attempt ran longer than 1000 ms', NULL, NULL, 0, '1.0cfed9c529ef', 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (69, '018bcfe5-6800-7000-8000-00000000000b', 'default', 'completed-twice', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 3, 8, 5, 1, 7, 0, 0, 3, 0, 0, 1, 5, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '3.38c704493c73', 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (164, '018bcfe5-6800-7000-8000-00000000000c', 'default', 'released', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.265ce95b5488', 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (195, '018bcfe5-6800-7000-8000-00000000000e', 'default', 'revoked', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.185799832834', 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000001', 'default', 'all-of-a', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.c6b45bb441e8', 4840058842880711001, 'a', NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8000-00000000000f', 'default', 'interrupted', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.b556cb2c5faa', 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000001', 'default', 'any-of-a', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, 'boom', '', NULL, NULL, 0, '1.709b9c62b6f6', 4840058842880711001, 'a', NULL);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-8000-000000000010', 'default', 'replayed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 1, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.c537b5559daf', 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8000-000000000011', 'default', 'held-and-let-go', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000002', 'default', 'all-of-b', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'b', NULL);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000003', 'default', 'all-of-c', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'c', NULL);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000004', 'default', 'all-of-d', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'd', NULL);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000002', 'default', 'any-of-b', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'b', NULL);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000003', 'default', 'any-of-c', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'c', NULL);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000004', 'default', 'any-of-d', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'd', NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000001', 'default', 'any-of-let-run-a', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'a', NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000003', 'default', 'any-of-let-run-c', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'c', NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000002', 'default', 'any-of-let-run-b', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.6fa5d48f4879', 4840058842880711001, 'b', NULL);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000004', 'default', 'any-of-let-run-d', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'd', NULL);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-800b-000000000002', 'default', 'flow-only-b', '018bcfe5-6800-7000-80ff-00000000000b', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'b', NULL);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-800b-000000000001', 'default', 'flow-only-a', '018bcfe5-6800-7000-80ff-00000000000b', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.1cdd8def186b', 4840058842880711001, 'a', NULL);
INSERT INTO public.ff_exec_core VALUES (29, '018bcfe5-6800-7000-8008-000000000002', 'default', 'reopened-flow-b', '018bcfe5-6800-7000-80ff-000000000008', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 5, 11, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'b', NULL);
INSERT INTO public.ff_exec_core VALUES (208, '018bcfe5-6800-7000-8063-000000000001', 'default', 'by-hand-a', '018bcfe5-6800-7000-80ff-000000000063', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (29, '018bcfe5-6800-7000-8008-000000000001', 'default', 'reopened-flow-a', '018bcfe5-6800-7000-80ff-000000000008', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 1, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.d74abffd4bcf', 4840058842880711001, 'a', NULL);
INSERT INTO public.ff_exec_core VALUES (60, '018bcfe5-6800-7000-8009-000000000001', 'default', 'cancelled-flow-a', '018bcfe5-6800-7000-80ff-000000000009', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, '1.be2622ffa7b0', 4840058842880711001, 'a', NULL);
INSERT INTO public.ff_exec_core VALUES (60, '018bcfe5-6800-7000-8009-000000000002', 'default', 'cancelled-flow-b', '018bcfe5-6800-7000-80ff-000000000009', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'b', NULL);
INSERT INTO public.ff_exec_core VALUES (95, '018bcfe5-6800-7000-800a-000000000001', 'default', 'cancelled-pending-a', '018bcfe5-6800-7000-80ff-00000000000a', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.b9ccaf1d7fdb', 4840058842880711001, 'a', NULL);
INSERT INTO public.ff_exec_core VALUES (95, '018bcfe5-6800-7000-800a-000000000002', 'default', 'cancelled-pending-b', '018bcfe5-6800-7000-80ff-00000000000a', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'b', NULL);
INSERT INTO public.ff_exec_core VALUES (208, '018bcfe5-6800-7000-8063-000000000002', 'default', 'by-hand-b', '018bcfe5-6800-7000-80ff-000000000063', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (132, '018bcfe5-6800-7000-8000-000000000012', 'default', 'paused', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (56, '018bcfe5-6800-7000-8000-000000000013', 'default', 'resumed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-000000000015', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000236000, '{"order.id":"2"}', 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-000000000016', 'default', 'default', NULL, 'mail', 1, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-000000000017', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700086636000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (239, '018bcfe5-6800-7000-8000-000000000019', 'default', 'held', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000002', 'default', 'quorum-b', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'b', NULL);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000003', 'default', 'quorum-c', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'c', NULL);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000004', 'default', 'quorum-d', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'd', NULL);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8006-000000000001', 'default', 'completed-flow-a', '018bcfe5-6800-7000-80ff-000000000006', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.98cea3b347ce', 4840058842880711001, 'a', NULL);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000001', 'default', 'quorum-a', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.fa0c51417e62', 4840058842880711001, 'a', NULL);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000001', 'default', 'quorum-let-run-a', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.a664140958ce', 4840058842880711001, 'a', NULL);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000002', 'default', 'quorum-let-run-b', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.d15bb8f78127', 4840058842880711001, 'b', NULL);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000004', 'default', 'quorum-let-run-d', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'd', NULL);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000003', 'default', 'quorum-let-run-c', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.bf3d5f2c0a1d', 4840058842880711001, 'c', NULL);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8006-000000000002', 'default', 'completed-flow-b', '018bcfe5-6800-7000-80ff-000000000006', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.0dbb64702a46', 4840058842880711001, 'b', NULL);
INSERT INTO public.ff_exec_core VALUES (242, '018bcfe5-6800-7000-8007-000000000001', 'default', 'failed-flow-a', '018bcfe5-6800-7000-80ff-000000000007', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, 'boom', '', NULL, NULL, 0, '1.1ea8edb0c95e', 4840058842880711001, 'a', NULL);
INSERT INTO public.ff_exec_core VALUES (242, '018bcfe5-6800-7000-8007-000000000002', 'default', 'failed-flow-b', '018bcfe5-6800-7000-80ff-000000000007', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 5, 11, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, 'b', NULL);
INSERT INTO public.ff_exec_core VALUES (63, '018bcfe5-6800-7000-8000-000000000014', 'tenant-a', 'of-a-tenant', NULL, 'mail', 0, NULL, NULL, 1700000236000, '{"team.name":"a"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-0000000003e7', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (48, '018bcfe5-6800-7000-8000-000000000018', 'default', 'delayed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700003836000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (59, '018bcfe5-6800-7000-8000-00000000001a', 'default', 'waiting-for-its-retry', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000236000, NULL, 0, 1, 3, 0, 1, 0, 0, 1, 1, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, 1700003836000, NULL, NULL, NULL, 'smtp_down', '', NULL, NULL, 0, '1.8774864ff4d0', 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8000-00000000001b', 'default', 'active', NULL, 'print', 0, '{"attempt_timeout_ms":7200000}', NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 40, 'half way', 0, '1.d66d843e5ba9', 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (7, '018bcfe5-6800-7000-8000-00000000001c', 'default', 'active-with-an-expired-lease', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 1000, 1700000237000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.207bf4022237', 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (227, '018bcfe5-6800-7000-8000-00000000001d', 'default', 'delayed-and-due', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000237000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);
INSERT INTO public.ff_exec_core VALUES (44, '018bcfe5-6800-7000-8000-00000000001e', 'default', 'past-its-deadline', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000237000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 4840058842880711001, NULL, NULL);


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
INSERT INTO public.ff_failure VALUES (59, '018bcfe5-6800-7000-8000-00000000001a', 0, 1, 'smtp_down', '', NULL);


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
-- Data for Name: ff_lane; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_lane VALUES ('default', 'paused', 1700000236000, 'provider is down', 1);
INSERT INTO public.ff_lane VALUES ('default', 'resumed', NULL, '', 2);
INSERT INTO public.ff_lane VALUES ('tenant-a', 'default', 1700000236000, '', 1);


--
-- Data for Name: ff_meta; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_meta VALUES ('store', 'postgres-bff7e29be602-7b255b');
INSERT INTO public.ff_meta VALUES ('purged', '776:775:2');


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
INSERT INTO public.ff_payload VALUES (86, '018bcfe5-6800-7000-8000-000000000015', '\x77616974696e67');
INSERT INTO public.ff_payload VALUES (86, '018bcfe5-6800-7000-8000-0000000003e7', '\x6b657074');
INSERT INTO public.ff_payload VALUES (86, '018bcfe5-6800-7000-8000-000000000016', '\x77616974696e6720666f72206120677075');
INSERT INTO public.ff_payload VALUES (86, '018bcfe5-6800-7000-8000-000000000017', '\x77616974696e672077697468206120646561646c696e65');
INSERT INTO public.ff_payload VALUES (48, '018bcfe5-6800-7000-8000-000000000018', '\x64656c61796564');
INSERT INTO public.ff_payload VALUES (239, '018bcfe5-6800-7000-8000-000000000019', '\x68656c64');
INSERT INTO public.ff_payload VALUES (59, '018bcfe5-6800-7000-8000-00000000001a', '\x77616974696e6720666f7220697473207265747279');
INSERT INTO public.ff_payload VALUES (52, '018bcfe5-6800-7000-8000-00000000001b', '\x616374697665');
INSERT INTO public.ff_payload VALUES (7, '018bcfe5-6800-7000-8000-00000000001c', '\x616374697665207769746820616e2065787069726564206c65617365');
INSERT INTO public.ff_payload VALUES (227, '018bcfe5-6800-7000-8000-00000000001d', '\x64656c6179656420616e6420647565');
INSERT INTO public.ff_payload VALUES (44, '018bcfe5-6800-7000-8000-00000000001e', '\x706173742069747320646561646c696e65');


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
INSERT INTO public.ff_ready VALUES ('default', 'default', 0, -7, 1700000236000, '018bcfe5-6800-7000-8000-000000000015', 86);
INSERT INTO public.ff_ready VALUES ('default', 'default', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-0000000003e7', 86);
INSERT INTO public.ff_ready VALUES ('default', 'default', 1, 0, 1700000236000, '018bcfe5-6800-7000-8000-000000000016', 86);
INSERT INTO public.ff_ready VALUES ('default', 'default', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-000000000017', 86);
INSERT INTO public.ff_ready VALUES ('default', 'past-its-deadline', 0, 0, 1700000236000, '018bcfe5-6800-7000-8000-00000000001e', 44);


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


--
-- Data for Name: ff_step; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_step VALUES (52, '018bcfe5-6800-7000-8000-00000000001b', 'fetch', '\x6631', '\x7b227061676573223a20337d', 0, 1700000236000, 1);
INSERT INTO public.ff_step VALUES (52, '018bcfe5-6800-7000-8000-00000000001b', 'render', '\x6632', '\x', 0, 1700000236000, 2);


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
INSERT INTO public.ff_tag VALUES (86, '018bcfe5-6800-7000-8000-000000000015', 'order.id', '2', 1700000236000);


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

SELECT pg_catalog.setval('public.ff_event_event_id_seq', 98, true);


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
-- Name: ff_worker ff_worker_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_worker
    ADD CONSTRAINT ff_worker_pkey PRIMARY KEY (namespace, worker_instance_id);


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
-- Name: ff_exec_core_flow; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_exec_core_flow ON public.ff_exec_core USING btree (flow_id) WHERE (flow_id IS NOT NULL);


--
-- Name: ff_exec_core_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_exec_core_newest ON public.ff_exec_core USING btree (created_at_ms, execution_id, partition_key) WHERE (created_at_ms >= 0);


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


