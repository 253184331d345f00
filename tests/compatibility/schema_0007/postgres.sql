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
    (ff_exec_core.flow_id)::text AS flow_id
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
    ff_flow_core.tags
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
    recorded_at_ms bigint NOT NULL
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

INSERT INTO public.ff_batch VALUES ('\x3e46471831766473810e6eb23d83989f', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\x4c1afdcdb26cd6329f0a1478f67d2605', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\x26bd74d7e13fd9dc69c5bf36293d7221', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\x809fb3f5fad40a4cf939ee8cdca167ee', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x251439add8637f4aec84e1c3cbc55ba5', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x8e582d7e7022cedcdef7bf73b8c8e39a', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xec72055eefd2ff9330c96f80a5a85d82', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x8453aaa410015ccabcf378be361d3aca', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xde1446cd799028b84133638720305ef1', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xdce173c803eb7c9ada7f55e304bc07e1', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xf09d8a3b4a9fc0ac0edb94ad4f0764d2', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x1b238d4cf6fb87eafd09486095dc2206', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xdaad2ef056aa0e8d3bc8cced40d6a6a4', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x45d82d7eb11f3f8bf77952ce5fd131eb', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xed697c6ff29c84d5cacfd9040fde28a1', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x38ac4f082598718cfcc28d843fd58f4f', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x9010cd31b1d3c8da6da50eb885a19620', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xa26ef8459b108461b69b794722b8d0a0', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xddaff03fc27673af2eaa155b522c6333', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x9eaf9cb6511b269d06f5774009d85077', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xfbfb1730f3636b5ed2b6f66d77a99eb7', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x77c22c02b58192308ffa6a0a5813dff7', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xe94d1f7abe8990db3056ddec4cc1a2f4', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xc209eccb5ad4dd0d800ec5d691a9303a', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x1ed278c1a5343eecdbde2f58d1df3e0a', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\x16881e70411e18683b5238e659057f55', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\x4473575fa1eab1eb9dcff93993424edb', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\xdf2c3e568559a89d6a74b89725dc1e52', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\x34015626c854771cd8dc76cb205eea5d', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\x3351f1dbf768c703a795ce1538c4075a', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\x1fd28378c4af46c97d33df1de8d5c12e', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\x0f07e0c34b5a69551f3567c0f1ac6b43', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\xa6ad75e4924c4249393c842eecbc24ce', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x1dbeaf12775aabba0bcf424d96cbee5a', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x5e33dfc0795b65e493be213a37a13295', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x311a773a98768a4f06ed91c7337c068e', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x442dd25c648cb393d164da4ab26ce1ed', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x07d8452c6c2704eca41f4117e1545ad5', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x4b768c5ad9f8267f80fca63aaa85a220', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x66ecf657209b51d65b80c83e9cb02e7f', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x1ff4f3a0aeb331116e783a7757904963', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x9c4072b6924886ef65cc61fb84c35947', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x38f88e71b708869739de94544a876cb9', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x618ce73bd2007eb23eb4610c01c1c2db', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xc94666208cfba53ccb6e02f8dd9bc757', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x73023ecd5263fe605f5b8de5922bf1c6', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xd5f161f92465daf70908b4fd6de739cb', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xd6c5bd5a4b7c6bcd6c39584c0ab33abf', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x4007669cfbcdd8d4ff8dbd8870a7bea5', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x636a524a3cec3fce26ed587376cf9004', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x3c543158c9a6110a9b83d99105f33a47', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x1a09e5678eb553559b74f84ab4bffa3f', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x0d4c3ec9b1c05940931c296fdb5e7885', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xfdf996f937ca6d248b0187cccb057964', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x23842fdb15c119b32432454329015559', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x7db75d360a5368d83d03f3521928e98b', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xc849efe4a3af7051a6d27e5e96ad706c', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xcb89506e377d57e2db00944289f3f8bb', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x41d372e2e6901a9b73cd9d89ba551ed3', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x7db4efd3c960fdaab96345deff1fdec6', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x3328935d576fc37fc9a18515d398cf4c', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x9ca46164bdd0b9b29de99eeaa2a3293f', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x1c0f27858eb6eb7ba0d2c21e18604396', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x1449560452330453173fe042b54e5e18', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x5e74bec4da5d2e642910840f14eccc62', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x02e7d97a5d11e546a6d8b10910b1cbe7', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x347c8761f4151de58ba4c5e4776115bd', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x1febc989cbc7649651eb539415abf2e3', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe2917b5a3ff2f76c29a605a0fe0bd785', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1e56d18a899e57fafc7a850990f84ae5', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xdc253437d191c1529c7848a0e9deae3b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe98c3f85974dc7b3facae82d062b1597', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xdd68fe4f069323ab0fd2fb89390c87fc', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7ac29d4ca95955ea018372522b2aa92f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x72a86a5687054eed5f40d556b8d15248', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8a9fc567b91bf3fc99c2e27e449dc36d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x19cb324f8cbfdc4b8497036d6a59980d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe07d991b3840065d2e83c9995e80003b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x309b73c16ea88fd2db9879dde4001551', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5f95e0010f1cf09dcc8d8bf57f19df24', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5ab44681029ab3a2bf65053b4c0a6b10', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xca7d9dc37ddca3c95ac095a7950c8a32', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x40098d98a097f190689beed6f648e090', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x34eb573ab4bb125da1458286a31e9eda', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1107d91f69ef0a75764caffd68e8f866', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x43cdfa635a9ac127740719071264dce3', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x13726e943badf4317149972c9c6523be', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1403253afa7aadfacb12f41119b8182e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x71bc9580ffa85d111fa3fdb2a19d8827', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x597742c330860d1bfeb7682af32ad333', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd7f423ed3d6ef8b3782820e9e651a284', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xba6849616739a40af720f6f0b7a6dfa4', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x37dabc0e04dd88d59a4f57ab80af657d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x3d526c8dfaf7eca2f71aa7dd633645ea', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x091aeeb84b5add19b14ac81824f9d2f4', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x120a08a54266d709f4801b1a36ea10b2', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7cd8e87a1c6886c9fb9957b09a5bfa3e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xcbb4c7c3a598c7895ba2ea69a1856e4f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x51ab28131a12ccaa016865391690ebd4', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x0c36fd9ddacd9ce62cec012021047b91', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc1f022d558bc5596d97e21f3f6036633', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xfc453c6205fa8f884be0866b04bbb34a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x88af33801e2f5f035702ef147ef1f08d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x55c5548479f0ad62d26575dfa9df8985', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8ef29ecad3c1e7d51bb2a4096e9443dc', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xee1897bf627f2219667814c7e9cddc3d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x2aca2fe4eda91a92362016103149daa7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x13ad6f0312c8f2ae3b7e087b58b3092f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x544b82489a3b7bf33d1c910ccc2fc617', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xaba383a973c7626b4fc4dabec4576b2e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x528079fc679ec99b09412493570f03a9', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x4f16b40fcc127644bdc1c1aa230411e7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x4d830bc704e642be33b2982e7b34487c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7413119e9083f56e9ca42367adfb8ff1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x84a7cb68693bf7f40f7f923bbd3488b8', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x873a46445df2605a4d58ce854f24d9c1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x07dbaf3bb0ce1a72135393c01916a2cd', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x19d1e820d6ac5f542c7f85de8860ce1d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa6d841e7d226f926252d4f5322fd4d71', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe781e4f8d65f99da9ebf6ebffb1368e4', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x6a8f858067c9990ffe975f8fec7665e4', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5451dfa5681dd8355fd144a4ab9f052b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc84519cbec7f7c60f1ad5b8d08d56f69', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x764fc639c21255b98873b68ccd01243a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x4905288e92ba11c2be3c28f9bb50e656', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x4aa26889d91db2d334eb416222518060', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x61d7103141eba0092f634ab155b49793', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x3d40d051e4838826079c04cdc39545a6', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x3b126bc9840b22eb604d60f9a5ae34b1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x0bc0a95cc5bdc6ef0132739775eca52f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb0127bea942caaaf2b913dbdb67b1b61', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xebcc3c8889f96488b8ac885d033110dc', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xfd0edd28f964687d6c2bdc847c376667', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8d236a66c90aa9cf574ac261b90da187', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb009515205eb7a70f2bccf00fd447aad', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8c4612c38ec9da42a5411e6491a3c1a8', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa512ec02054a866faa89bb8c5e795d7d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x623d03cdfcb43c9987126f11b9aa6c85', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x583125b67844357e601bfd7a97f0840b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa7097d17294fe35bc75f1b31f210af62', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9d1872efdc0b0a6da85ec84c007385b4', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe5c48a4c4ba20ae4fea182ed836bc990', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x966d40ebb3d30ee34e35798064e3ac2f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x7996b68b88cb6675b24d64e6b7382159', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x954b1f508e83df61d105484675f09f25', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x93b555725f7e869e5219767ffb999a83', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9de59e0d19c0b693042a40e70a2ad444', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x20f6f8c58cadce0aaaa9b146799c5aaa', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x26acfebc4d7d9b5047d887bcd493e007', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xcf2bd9cf31667547abcb0f2dcf8b7a42', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xce7ae2ea6c703ce04a2b5a653a5bc028', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5b2167ea62e53718ea823ceedaf19e7d', 1700000236000);


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

INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f4-5c30-7000-8001-843d1fa23b27', '018bcfe5-6800-7000-8001-000000000002', '018bcfe5-6800-7000-8001-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f4-5c30-7000-8002-228d08059e1c', '018bcfe5-6800-7000-8001-000000000003', '018bcfe5-6800-7000-8001-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f4-5c36-7000-8001-657add282033', '018bcfe5-6800-7000-8002-000000000002', '018bcfe5-6800-7000-8002-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f4-5c36-7000-8002-b8dd8edd13af', '018bcfe5-6800-7000-8002-000000000003', '018bcfe5-6800-7000-8002-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f4-5c3f-7000-8000-4d04cd34c931', '018bcfe5-6800-7000-8003-000000000001', '018bcfe5-6800-7000-8003-000000000004', 'left', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f4-5c40-7000-8001-9f24896fdc4e', '018bcfe5-6800-7000-8003-000000000003', '018bcfe5-6800-7000-8003-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f4-5c41-7000-8001-79d347eb1082', '018bcfe5-6800-7000-8004-000000000002', '018bcfe5-6800-7000-8004-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f4-5c41-7000-8002-b1cfcfd94419', '018bcfe5-6800-7000-8004-000000000003', '018bcfe5-6800-7000-8004-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f4-5c4b-7000-8002-d1d540126146', '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-8005-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f4-5c30-7000-8000-075370182261', '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-8001-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f4-5c36-7000-8000-7f25903c9b1f', '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-8002-000000000004', 'left', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f4-5c40-7000-8000-cc3a98955de5', '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-8003-000000000004', 'right', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f4-5c41-7000-8000-45755b81cf8a', '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-8004-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f4-5c4b-7000-8000-8d30f0572be0', '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-8005-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f4-5c4b-7000-8001-45a9b25f5c6e', '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-8005-000000000004', 'right', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (95, '018bcfe5-6800-7000-80ff-00000000000a', '01a1f1f4-5ca8-7000-8000-9080b06583dd', '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-800a-000000000002', 'before', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (126, '018bcfe5-6800-7000-80ff-00000000000b', '01a1f1f4-5ca9-7000-8000-865b8c2db32a', '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-800b-000000000002', 'before', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (211, '018bcfe5-6800-7000-80ff-000000000006', '01a1f1f4-5c97-7000-8000-bce4b04ccc5c', '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-8006-000000000002', 'before', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (242, '018bcfe5-6800-7000-80ff-000000000007', '01a1f1f4-5c99-7000-8000-c12a3531da4a', '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-8007-000000000002', 'before', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (29, '018bcfe5-6800-7000-80ff-000000000008', '01a1f1f4-5ca3-7000-8000-1deeb9e1dacc', '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-8008-000000000002', 'before', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', '01a1f1f4-5ca7-7000-8000-fc219ba879f7', '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-8009-000000000002', 'before', 1700000236000, 3, 0, 1700000236000);
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

INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (3, '780', 2, 'schedule_paused', 'default', 0, NULL, NULL, 1, '{"schedule":"paused","reason":"look first"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (4, '781', 2, 'schedule_paused', 'default', 0, NULL, NULL, 1, '{"schedule":"often","reason":"for a moment"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (5, '782', 2, 'schedule_resumed', 'default', 0, NULL, NULL, 2, '{"schedule":"often"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (6, '784', 2, 'schedule_changed', 'default', 0, NULL, NULL, 1, '{"schedule":"nightly"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (7, '785', 2, 'schedule_forgotten', 'default', 0, NULL, NULL, 1, '{"schedule":"gone"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (8, '787', 0, 'acquired', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (9, '788', 1, 'completed', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 2, NULL, 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (10, '790', 0, 'acquired', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (11, '791', 1, 'completed', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 2, NULL, 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (12, '793', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (13, '794', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700000203000}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (14, '797', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 3, '{"attempt_index":1,"lease_epoch":2,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000212000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (15, '798', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 4, '{"code":"smtp_down","next_attempt_index":2,"delay_until_ms":1700000214000}', 1700000212000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (16, '801', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 5, '{"attempt_index":2,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000222000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (17, '802', 1, 'failed', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 6, '{"code":"smtp_down"}', 1700000222000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (18, '805', 0, 'acquired', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (19, '806', 1, 'failed', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 2, '{"code":"bad_address"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (20, '808', 0, 'acquired', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (21, '810', 0, 'acquired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (22, '812', 0, 'expired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (23, '812', 1, 'failed', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 3, '{"code":"worker_lost"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (24, '813', 1, 'failed', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 2, '{"code":"attempt_timeout"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (25, '814', 1, 'expired', 'default', 213, '018bcfe5-6800-7000-8000-000000000008', NULL, 1, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (26, '817', 1, 'cancelled', 'default', 252, '018bcfe5-6800-7000-8000-000000000009', NULL, 1, '{"reason":"not wanted","source":"operator_override"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (27, '819', 0, 'acquired', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (28, '820', 0, 'revoked', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 2, '{"reason":"stop"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (29, '820', 1, 'cancelled', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 3, '{"reason":"stop","source":"application"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (30, '822', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (31, '823', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (32, '824', 2, 'replayed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (33, '825', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 4, '{"attempt_index":0,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"replay"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (34, '826', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 5, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (35, '828', 0, 'acquired', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (36, '829', 0, 'released', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (37, '831', 0, 'acquired', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (38, '832', 0, 'released', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 2, '{"delay_until_ms":1700003834000}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (39, '834', 0, 'acquired', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (40, '835', 0, 'revoked', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 2, '{"reason":"drain"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (41, '837', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (42, '838', 0, 'expired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (43, '841', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (44, '842', 1, 'completed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (45, '843', 2, 'replayed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (46, '845', 2, 'held', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 1, '{"reason":"look first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (47, '846', 2, 'unheld', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (48, '856', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (49, '857', 1, 'completed', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (50, '858', 0, 'acquired', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (51, '859', 1, 'failed', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (52, '860', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (53, '861', 1, 'completed', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (54, '862', 0, 'acquired', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (56, '864', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (57, '865', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (58, '866', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (59, '867', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (60, '868', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (61, '875', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (63, '877', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (66, '879', 0, 'acquired', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (67, '880', 1, 'failed', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (68, '880', 1, 'skipped', 'default', 242, '018bcfe5-6800-7000-8007-000000000002', '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (69, '880', 1, 'flow_failed', 'default', 242, NULL, '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (70, '881', 0, 'acquired', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (76, '884', 0, 'acquired', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (77, '885', 2, 'flow_cancel_requested', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-000000000009","cancellation_policy":"cancel_all","reason":"enough","member_count":2}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (78, '885', 1, 'flow_cancelled', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (79, '885', 0, 'revoked', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 2, '{"reason":"enough"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (80, '885', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 3, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (81, '885', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000002', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (82, '886', 0, 'acquired', 'default', 95, '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (83, '887', 2, 'flow_cancel_requested', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000a","cancellation_policy":"cancel_pending","reason":"enough","member_count":1}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (84, '887', 1, 'flow_cancelled', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (85, '887', 1, 'cancelled', 'default', 95, '018bcfe5-6800-7000-800a-000000000002', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (86, '888', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (87, '889', 2, 'flow_cancel_requested', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000b","cancellation_policy":"flow_only","reason":"enough","member_count":0}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (88, '889', 1, 'flow_cancelled', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (89, '896', 2, 'lane_paused', 'default', 0, NULL, NULL, 1, '{"lane":"paused","reason":"provider is down"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (90, '898', 2, 'lane_paused', 'default', 0, NULL, NULL, 1, '{"lane":"resumed","reason":"for a moment"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (91, '899', 2, 'lane_resumed', 'default', 0, NULL, NULL, 2, '{"lane":"resumed","paused_since_ms":1700000236000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (92, '901', 2, 'lane_paused', 'tenant-a', 0, NULL, NULL, 1, '{"lane":"default","reason":""}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (93, '904', 2, 'priority_changed', 'default', 86, '018bcfe5-6800-7000-8000-000000000015', NULL, 1, '{"old_priority":0,"new_priority":7}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (94, '910', 2, 'held', 'default', 239, '018bcfe5-6800-7000-8000-000000000019', NULL, 1, '{"reason":"ask first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (95, '912', 0, 'acquired', 'default', 59, '018bcfe5-6800-7000-8000-00000000001a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (97, '915', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8000-00000000001b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (98, '920', 0, 'acquired', 'default', 7, '018bcfe5-6800-7000-8000-00000000001c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (55, '863', 1, 'completed', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (62, '876', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (64, '878', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (65, '878', 1, 'flow_completed', 'default', 211, NULL, '018bcfe5-6800-7000-80ff-000000000006', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (71, '882', 1, 'failed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (72, '882', 1, 'skipped', 'default', 29, '018bcfe5-6800-7000-8008-000000000002', '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (73, '882', 1, 'flow_failed', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (74, '883', 2, 'flow_reopened', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (75, '883', 2, 'replayed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"failed","previous_attempt":0}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (96, '913', 0, 'retry_scheduled', 'default', 59, '018bcfe5-6800-7000-8000-00000000001a', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700003836000}', 1700000236000);


--
-- Data for Name: ff_exec_core; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_exec_core VALUES (213, '018bcfe5-6800-7000-8000-000000000008', 'default', 'expired', NULL, 'mail', 0, NULL, NULL, 1700000232000, NULL, 3, 8, 5, 4, 10, 0, 0, 0, 0, 0, 0, 1, 1700000232000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, 1700000233000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (32, '018bcfe6-eea0-7643-9758-4c28ba83a61e', 'default', 'reports', NULL, 'report', 0, NULL, NULL, 1700000202000, '{"schedule.name":"often","schedule.slot":"2023-11-14T22:15:00.000Z"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (32, '018bcfe7-d900-765f-8002-33b1d051c5b2', 'default', 'reports', NULL, 'report', 0, NULL, NULL, 1700000202000, '{"schedule.name":"often","schedule.slot":"2023-11-14T22:16:00.000Z"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 'default', 'failed', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000202000, NULL, 3, 8, 5, 2, 8, 0, 2, 3, 2, 0, 0, 6, 1700000214000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000222000, NULL, NULL, NULL, NULL, 'smtp_down', 'no answer', NULL, NULL, 0, '3.ac4f65b387db', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (194, '018bcfe5-6800-7000-8000-000000000002', 'default', 'completed', NULL, 'mail', 0, NULL, 'order-1', 1700000202000, '{"order.id":"1","team.name":"ü\n{}"}', 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000202000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.212930a68a5c', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (235, '018bcfe5-6800-7000-8000-000000000003', 'default', 'completed-without-a-result', NULL, 'mail', 0, '{"retention_ms":2592000000}', NULL, 1700000202000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000202000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.aa67a0de5737', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (252, '018bcfe5-6800-7000-8000-000000000009', 'default', 'cancelled', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, 'not wanted', 'operator_override', NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (160, '018bcfe5-6800-7000-8000-000000000005', 'default', 'failed-for-good-at-once', NULL, 'mail', 0, NULL, NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000232000, NULL, NULL, NULL, NULL, 'bad_address', '', NULL, NULL, 0, '1.f82d5b31495d', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (2, '018bcfe5-6800-7000-8000-00000000000d', 'default', 'put-off', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 1, 2, 0, 1, 0, 0, 1, 0, 0, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, 1700003834000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.2fd70ccb884c', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (78, '018bcfe5-6800-7000-8000-00000000000a', 'default', 'cancelled-while-it-ran', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, 1700000234000, NULL, NULL, 'stop', 'application', NULL, NULL, NULL, NULL, 0, '1.a1bbd0133f17', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (163, '018bcfe5-6800-7000-8000-000000000007', 'default', 'lost', NULL, 'mail', 0, '{"max_interruptions":0}', NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 2, 0, 1, 0, 3, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000234000, NULL, NULL, NULL, NULL, 'worker_lost', 'interrupted once; the policy allows 0', NULL, NULL, 0, '1.ee62dd3fc522', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (123, '018bcfe5-6800-7000-8000-000000000006', 'default', 'timed-out', NULL, 'mail', 0, '{"attempt_timeout_ms":1000}', NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 2, 0, 0, 0, 2, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000234000, NULL, NULL, NULL, NULL, 'attempt_timeout', 'the attempt ran longer than 1000 ms', NULL, NULL, 0, '1.c0eff5d4d273', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (69, '018bcfe5-6800-7000-8000-00000000000b', 'default', 'completed-twice', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 3, 8, 5, 1, 7, 0, 0, 3, 0, 0, 1, 5, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '3.8443dcd6d814', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (164, '018bcfe5-6800-7000-8000-00000000000c', 'default', 'released', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.4b3967cce58e', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (195, '018bcfe5-6800-7000-8000-00000000000e', 'default', 'revoked', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.85885fe0660e', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000001', 'default', 'all-of-a', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.80da5e55bdb3', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8000-00000000000f', 'default', 'interrupted', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.8608fa5399c1', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000001', 'default', 'any-of-a', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, 'boom', '', NULL, NULL, 0, '1.b76b82ab18a9', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-8000-000000000010', 'default', 'replayed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 1, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.91deec231af2', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8000-000000000011', 'default', 'held-and-let-go', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000002', 'default', 'all-of-b', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000003', 'default', 'all-of-c', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000004', 'default', 'all-of-d', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000002', 'default', 'any-of-b', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000003', 'default', 'any-of-c', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000004', 'default', 'any-of-d', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000001', 'default', 'any-of-let-run-a', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000003', 'default', 'any-of-let-run-c', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000002', 'default', 'any-of-let-run-b', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.3084fa3e7827', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000004', 'default', 'any-of-let-run-d', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-800b-000000000002', 'default', 'flow-only-b', '018bcfe5-6800-7000-80ff-00000000000b', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (208, '018bcfe5-6800-7000-8063-000000000001', 'default', 'by-hand-a', '018bcfe5-6800-7000-80ff-000000000063', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (29, '018bcfe5-6800-7000-8008-000000000002', 'default', 'reopened-flow-b', '018bcfe5-6800-7000-80ff-000000000008', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 5, 11, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (29, '018bcfe5-6800-7000-8008-000000000001', 'default', 'reopened-flow-a', '018bcfe5-6800-7000-80ff-000000000008', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 1, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.d3581a5dca9b', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (208, '018bcfe5-6800-7000-8063-000000000002', 'default', 'by-hand-b', '018bcfe5-6800-7000-80ff-000000000063', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (60, '018bcfe5-6800-7000-8009-000000000001', 'default', 'cancelled-flow-a', '018bcfe5-6800-7000-80ff-000000000009', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, '1.03a7089ee25a', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (60, '018bcfe5-6800-7000-8009-000000000002', 'default', 'cancelled-flow-b', '018bcfe5-6800-7000-80ff-000000000009', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (95, '018bcfe5-6800-7000-800a-000000000001', 'default', 'cancelled-pending-a', '018bcfe5-6800-7000-80ff-00000000000a', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.c785ee3c2490', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (95, '018bcfe5-6800-7000-800a-000000000002', 'default', 'cancelled-pending-b', '018bcfe5-6800-7000-80ff-00000000000a', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-800b-000000000001', 'default', 'flow-only-a', '018bcfe5-6800-7000-80ff-00000000000b', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.10dfe19b4d31', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (132, '018bcfe5-6800-7000-8000-000000000012', 'default', 'paused', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (56, '018bcfe5-6800-7000-8000-000000000013', 'default', 'resumed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-000000000015', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000236000, '{"order.id":"2"}', 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-000000000016', 'default', 'default', NULL, 'mail', 1, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-000000000017', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700086636000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (239, '018bcfe5-6800-7000-8000-000000000019', 'default', 'held', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (7, '018bcfe5-6800-7000-8000-00000000001c', 'default', 'active-with-an-expired-lease', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 1000, 1700000237000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.b9f191ea826e', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000002', 'default', 'quorum-b', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000003', 'default', 'quorum-c', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000004', 'default', 'quorum-d', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8006-000000000001', 'default', 'completed-flow-a', '018bcfe5-6800-7000-80ff-000000000006', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.2feb83034dd8', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000001', 'default', 'quorum-a', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.5da9ff2c563f', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000001', 'default', 'quorum-let-run-a', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.5631989d1b26', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000002', 'default', 'quorum-let-run-b', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.77411728ce27', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000004', 'default', 'quorum-let-run-d', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000003', 'default', 'quorum-let-run-c', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.21e47f71a1c7', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8006-000000000002', 'default', 'completed-flow-b', '018bcfe5-6800-7000-80ff-000000000006', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.d5587b211228', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (242, '018bcfe5-6800-7000-8007-000000000001', 'default', 'failed-flow-a', '018bcfe5-6800-7000-80ff-000000000007', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, 'boom', '', NULL, NULL, 0, '1.1feab0b44396', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (242, '018bcfe5-6800-7000-8007-000000000002', 'default', 'failed-flow-b', '018bcfe5-6800-7000-80ff-000000000007', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 5, 11, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (63, '018bcfe5-6800-7000-8000-000000000014', 'tenant-a', 'of-a-tenant', NULL, 'mail', 0, NULL, NULL, 1700000236000, '{"team.name":"a"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-0000000003e7', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (48, '018bcfe5-6800-7000-8000-000000000018', 'default', 'delayed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700003836000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (59, '018bcfe5-6800-7000-8000-00000000001a', 'default', 'waiting-for-its-retry', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000236000, NULL, 0, 1, 3, 0, 1, 0, 0, 1, 1, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, 1700003836000, NULL, NULL, NULL, 'smtp_down', '', NULL, NULL, 0, '1.32baa99514a5', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8000-00000000001b', 'default', 'active', NULL, 'print', 0, '{"attempt_timeout_ms":7200000}', NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 40, 'half way', 0, '1.088fd066f0f9', 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (227, '018bcfe5-6800-7000-8000-00000000001d', 'default', 'delayed-and-due', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000237000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);
INSERT INTO public.ff_exec_core VALUES (44, '018bcfe5-6800-7000-8000-00000000001e', 'default', 'past-its-deadline', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000237000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 2452682044292885741);


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

INSERT INTO public.ff_meta VALUES ('store', 'postgres-13d873d0d8d9-219e86');
INSERT INTO public.ff_meta VALUES ('purged', '774:773:2');


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


--
-- Data for Name: ff_step; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_step VALUES (52, '018bcfe5-6800-7000-8000-00000000001b', 'fetch', '\x6631', '\x7b227061676573223a20337d', 0, 1700000236000);
INSERT INTO public.ff_step VALUES (52, '018bcfe5-6800-7000-8000-00000000001b', 'render', '\x6632', '\x', 0, 1700000236000);


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
-- Name: ff_tag_search; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ff_tag_search ON public.ff_tag USING btree (key, value, created_at_ms, execution_id, partition_key) WHERE (created_at_ms >= 0);


--
-- PostgreSQL database dump complete
--


