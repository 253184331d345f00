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

INSERT INTO public.ff_batch VALUES ('\x33cef34c4de8bdeb6f5119bd4e454bd3', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\xa96a6d0358de2f4db09b5f3f6c4b5d8e', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\xf42571a83a4b57c25a8cdfdeac17d572', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\xa3675fde05ed9c3f941436c2e8ea2615', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xba2ab1cb51b5175857ad007b06c1f903', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x9c831e27b0f3d9ad2831e9d29935eee6', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x3b998be994572dde47835f30b01983da', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x4c86ecff6e85fbf8bd1e46fe0d54a4e5', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x50c7b76b2b988726cf5828ada07198c7', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x0a6f134c6c74c3311d6d26c48dc39842', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xf836fe57cd52d67914a8b4f2fbb00f1c', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x06cc8e25a10a00915f56fec9a19c1183', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x1428d21daaa0b5eefe8bda1ba5fdb5f8', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xf94b47273f569d1bbb9afaaf3053a354', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x568dae294367cbba19b3a709219b87de', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xa7c55f7526d1391137bbb09a54518f5c', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x410818724047568c0a0abcf3eca93606', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xadeb325c1876957deb38068074bbb408', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x57742c4a732342628156907f87e29364', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xd18d93f0a93fd379c627bf23d52544d3', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xa90e84cbd4a7b4042e5d30140ce5de77', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xd482c3084b2bbf597655c873b2f9b0f6', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x9e195a6fa5eb6923bdc2f5dfd6e2405f', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\xae7ac52397a1ea3c58b80629b769b5ca', 1700000202000);
INSERT INTO public.ff_batch VALUES ('\x7e375af70a632f1b25c204b2a4cd4d74', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\xbab0aa391814817af7f6870165c73faf', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\x688658f5089a6c9808daf17818353688', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\x74ac7bed5f41e8d8a0a5d0e734ae33b6', 1700000212000);
INSERT INTO public.ff_batch VALUES ('\xfeb8e06c7c4e33c09bdcabb7e6d74020', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\x1175a7c9ee5a5bcb9f8ef209d587b7fe', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\x4f5d1bcf9684bed8f881503afab2a30b', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\xa35cb4fe91cec59f20f1b992f91fb898', 1700000222000);
INSERT INTO public.ff_batch VALUES ('\x2ecb00240bb932b643baf4ad4d095499', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x7bba17869339185307f7787200fbc0b3', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\xeea5c94cf5d3a84afa0fff4b3d0963a4', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x9d13869191db40d0ecbe32f4093f7499', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x3f242a7d8d579721193d9a4b71226a79', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\xed50526fdfdcfe9d48d1a7b03e7a12bc', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x2832b7e44f71d7db2b1814cf9fa67da2', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x3c672ee80c953c98f8665f819dd9c0bf', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x1a9f65a7cbe5ee16c091463ce6841632', 1700000232000);
INSERT INTO public.ff_batch VALUES ('\x35593c23606cd0a1768d2a93ac9c234e', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xa2d0e443914213616886748b4da14a52', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x380eb4bbb979525ac8a39508bc3d7fe2', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x97d5ff3c84d4d863fb9f88434ac8862c', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x0431b2efed5b735a4cd2569c305a0cee', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x0af1d80a0c4472909c8cb488f9c80a06', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xa250e5bbc55d6390386d4e5fe986c2de', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x1cc6212df8daf2a3d485f7a08fd1af60', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x8847461ddd7578471f3baeeb099dc045', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xd8fb365566dbdd0867323dd3c7e1e04f', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x5f6fc9ab5796e1710c9a8dd68332c52d', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xd1d72385dee5f5e4d8f80626f18d655b', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x164ded6853dc0ecbd38845630089438d', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x74110bf0100f2e6077c72fe1b7aa4f70', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x309c463944177c64fbdf6cccd8ab5bcd', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x9a30da2a4dea00b2eb2448625867d1fb', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x03731b66aedd4034ff38ba425b8b478a', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x4c417329a1d826d5aa058e9fb4bdbadc', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x1fd3df3f5ed3d44926d75c19d3908f0a', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x7127459660a73120fd2ad46dbe53a128', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xb59bbef4ab9b023ffa91330e70181e68', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xc0d9889ae6fb529d9e39dd08ffd35bda', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xeb8ecdddb80ceddb584881b663a131a5', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x0200f16a6f8eb65f3ca42cc6d68cf802', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x4a40425c724dc2c086832449592031ee', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\x0a5d7181b88a8294c3935f9e3e3328fd', 1700000234000);
INSERT INTO public.ff_batch VALUES ('\xda7247d01b0b96a2490bd6a6d4f01280', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf21adbdcf914271e8255a13dd2930f57', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x44b36c42f22bf83e864c2b1fa512c81e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x739bea62f5c2fe0dfde1bd0902dac17c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x325c5c485ddf681ddd29f94e3ded280a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc2167999014e2769d16cabc6b7f94f65', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xbb77c7558ccb68394b95e0dbc9a51efc', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x857568e51eb07fb3ec29943e7b42e4a6', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xbd545b32694da32cbc8b96a3fb2f1c72', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd572745cc32c2dc81e446f795f886065', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xab07a96b52f82a75cfe6ff3298a848fa', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x228e2ac8ac98aba688062e24578688f1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1bd079f07c233f8aaf71ac6070d858a1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x2f90062554d0576029cc97c7e38ec6a4', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xee7c160ff29abada9fef7d7d3b3aeb01', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x3ee823eede56f352c555dad4d6ca1678', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x3e8caa2160aaf7404d31c2317b68edb4', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x72b3cc84b817b3a30e5c8415c1ca15c3', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8913a0264dc616c69d23c21a974f0c27', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x89cb7b9ca02ca89eeb667d0a6407285d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x33a8960e82238d3498faff1bc4c6f1d9', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa66b1df2f0087336e411cf19a7f95d5e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf039fc20ba0b122782f3605df3b5af0e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xabf9aa5e3deac8ae2fd546ca5b725e00', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x4790291d6ca9501aa2cd82ed691411a6', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x9c7f5c44b7711bc947d5d47a81f30fec', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x578f48e10369e5c47ad62fb494f2548b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5f84293f04619335d821ad974c6b4197', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe8fb2c506621ccbfdc36c552f8dba802', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd9f9468c9e20afc7084e21ef7f037286', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa26dcd9aeb0e3808ae8ac9dcafe74640', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x44b707dde21310ec3487af08b63dd488', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8643448e0af2aba28904d1074e6bc00f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xfce21a63287034e82cad6a93c1d38f90', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x59aeadb789d92d395ad803519bf17b61', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x77d0e8761ac839ef3d9a87ccb28899a2', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x5484dadd0cb27147bab2bd14839d73c5', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xbfc0c515cd512603fc5820d4ceebbf53', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x09f94990324a7f3b490c595eaa0ec8ca', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf7112fb8773811ed5eeb13c8b1e9c30b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x2e92e901ce2b44152e0a52c7631b0938', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x46baba307b2e2399ab4d701fbd44e634', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xbd9629c6443c4c127f80315dada30a45', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x0a0672ea822a7232330a64feefba10b6', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xbcaa08dfe4a567c74b0178a64aff4794', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x4cad1aa42b6fd2ab3d1dfcd69a832f3f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8674feedf94f1ce4998a7ce03ed361b7', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x41f0d46dabdd1ba25434a68143487f74', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x30e68e17c3b1b1400af0599049635d43', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xdbbb712632a3ebbdb908ddc9612d423c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x2d83b576804911ba92afb429bba5bf51', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x561a5b7c15ab20e195d80e757e031f93', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xbfbc4f7b961e84cb1e52b20af9705104', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x983e8951421672b546035f08d309dda5', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb72aa5f7c4a0808825d4a78a0068a18a', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x14aacbe40f3b044e838618bed852d8bc', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xecae6548a5b3e65323562331ba7e34df', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8b5d59a10c89dfc550a693bf2d15bb88', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x700bcc33dbb12760825b0d8dc7588d1f', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x8e399adb10e13573634afcd132f33181', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe3bbe17b184c0a2f90841512bc490f99', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc04a20849f8048a62019010df8cf651b', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x463b98d6f1c6686b1c9b615f9ae07b64', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xe2b38cb5adebf73a9e41d039beefc076', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x27cc582f1082a485032fa43c95f92635', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf86e03e39fe50f1b39659181d8b9004e', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xaf31c7ee8d1ce92f514180624e8f3488', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x4064da92945e62006be231c97cc44c2d', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xf7a991224243a742549ca30eb9af6104', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xa7b7ea9dbc3f2fb3ee0feade010d7c20', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x0ad4f91d768ff503af9045b9e9a9bdff', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xc7e0b8663526ba232bdda257d267aefb', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xed8f546c2b4c3e131a925424746c4082', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x6b65ea5952749cc842cb17850408f6a3', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd57c8e75400a433d863e2b2a17d0b6b1', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x86b554cda62305769ea085a7691d56a0', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1a9b63c947507d4586ab60dc7e216422', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x679960f1962153391f842b7a5b1518fd', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x85362c3ce9d8fdd1e3b0cd92ea91dc40', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xd018525e75c435861101824a5da4b8bc', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xb1c5a6c7955b583776c6c5fed298d89c', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x1135f2d0520866d14eb918abcefd87f2', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\x40e4a257baa738dfba40f234e0f6e388', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xce3bc3873497239a7e5c222d4802ecfd', 1700000236000);
INSERT INTO public.ff_batch VALUES ('\xca4493b8ce4230c019476d3f28e7b2f0', 1700000236000);


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

INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f4-3966-7000-8001-0b8a26cc52d8', '018bcfe5-6800-7000-8001-000000000002', '018bcfe5-6800-7000-8001-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f4-3966-7000-8002-1cf537f89e19', '018bcfe5-6800-7000-8001-000000000003', '018bcfe5-6800-7000-8001-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f4-396c-7000-8001-fc642151c470', '018bcfe5-6800-7000-8002-000000000002', '018bcfe5-6800-7000-8002-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f4-396c-7000-8002-f2c113b7a968', '018bcfe5-6800-7000-8002-000000000003', '018bcfe5-6800-7000-8002-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f4-396d-7000-8000-0e6a5231737f', '018bcfe5-6800-7000-8003-000000000001', '018bcfe5-6800-7000-8003-000000000004', 'left', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f4-396d-7000-8002-21246f4d9507', '018bcfe5-6800-7000-8003-000000000003', '018bcfe5-6800-7000-8003-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f4-396e-7000-8001-fa5c4209b15f', '018bcfe5-6800-7000-8004-000000000002', '018bcfe5-6800-7000-8004-000000000004', 'right', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f4-396e-7000-8002-3373bf394897', '018bcfe5-6800-7000-8004-000000000003', '018bcfe5-6800-7000-8004-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f4-3970-7000-8002-d9f537d1ca43', '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-8005-000000000004', NULL, 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f4-3966-7000-8000-206face993d5', '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-8001-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f4-396c-7000-8000-e6a9efc329da', '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-8002-000000000004', 'left', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f4-396d-7000-8001-15391c88112b', '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-8003-000000000004', 'right', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f4-396e-7000-8000-204252c1d58a', '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-8004-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f4-3970-7000-8000-05dc25ddd1b8', '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-8005-000000000004', 'left', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f4-3970-7000-8001-95890cc5a461', '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-8005-000000000004', 'right', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (95, '018bcfe5-6800-7000-80ff-00000000000a', '01a1f1f4-39ad-7000-8000-69c099db76a0', '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-800a-000000000002', 'before', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (126, '018bcfe5-6800-7000-80ff-00000000000b', '01a1f1f4-39b2-7000-8000-e2ee781bac7f', '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-800b-000000000002', 'before', 1700000236000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (211, '018bcfe5-6800-7000-80ff-000000000006', '01a1f1f4-39a4-7000-8000-3073c5ea7053', '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-8006-000000000002', 'before', 1700000236000, 1, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (242, '018bcfe5-6800-7000-80ff-000000000007', '01a1f1f4-39a7-7000-8000-7b7b9abf90ef', '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-8007-000000000002', 'before', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (29, '018bcfe5-6800-7000-80ff-000000000008', '01a1f1f4-39aa-7000-8000-3ddf6b6d3c43', '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-8008-000000000002', 'before', 1700000236000, 2, 0, 1700000236000);
INSERT INTO public.ff_edge VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', '01a1f1f4-39ac-7000-8000-72adac5a8b36', '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-8009-000000000002', 'before', 1700000236000, 3, 0, 1700000236000);
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

INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (3, '778', 2, 'schedule_paused', 'default', 0, NULL, NULL, 1, '{"schedule":"paused","reason":"look first"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (4, '779', 2, 'schedule_paused', 'default', 0, NULL, NULL, 1, '{"schedule":"often","reason":"for a moment"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (5, '780', 2, 'schedule_resumed', 'default', 0, NULL, NULL, 2, '{"schedule":"often"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (6, '782', 2, 'schedule_changed', 'default', 0, NULL, NULL, 1, '{"schedule":"nightly"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (7, '783', 2, 'schedule_forgotten', 'default', 0, NULL, NULL, 1, '{"schedule":"gone"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (8, '785', 0, 'acquired', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (9, '786', 1, 'completed', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 2, NULL, 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (10, '788', 0, 'acquired', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (11, '789', 1, 'completed', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 2, NULL, 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (12, '791', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (13, '792', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700000203000}', 1700000202000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (14, '795', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 3, '{"attempt_index":1,"lease_epoch":2,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000212000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (15, '796', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 4, '{"code":"smtp_down","next_attempt_index":2,"delay_until_ms":1700000214000}', 1700000212000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (16, '799', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 5, '{"attempt_index":2,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000222000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (17, '800', 1, 'failed', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 6, '{"code":"smtp_down"}', 1700000222000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (18, '803', 0, 'acquired', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (19, '804', 1, 'failed', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 2, '{"code":"bad_address"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (20, '806', 0, 'acquired', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (21, '808', 0, 'acquired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000232000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (22, '810', 0, 'expired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (23, '810', 1, 'failed', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 3, '{"code":"worker_lost"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (24, '811', 1, 'failed', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 2, '{"code":"attempt_timeout"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (25, '812', 1, 'expired', 'default', 213, '018bcfe5-6800-7000-8000-000000000008', NULL, 1, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (26, '815', 1, 'cancelled', 'default', 252, '018bcfe5-6800-7000-8000-000000000009', NULL, 1, '{"reason":"not wanted","source":"operator_override"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (27, '817', 0, 'acquired', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (28, '818', 0, 'revoked', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 2, '{"reason":"stop"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (29, '818', 1, 'cancelled', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 3, '{"reason":"stop","source":"application"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (30, '820', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (31, '821', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (32, '822', 2, 'replayed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (33, '823', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 4, '{"attempt_index":0,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"replay"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (34, '824', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 5, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (35, '826', 0, 'acquired', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (36, '827', 0, 'released', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 2, NULL, 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (37, '829', 0, 'acquired', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (38, '830', 0, 'released', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 2, '{"delay_until_ms":1700003834000}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (39, '832', 0, 'acquired', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (40, '833', 0, 'revoked', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 2, '{"reason":"drain"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (41, '835', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000234000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (42, '836', 0, 'expired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (43, '839', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (44, '840', 1, 'completed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (45, '841', 2, 'replayed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (46, '843', 2, 'held', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 1, '{"reason":"look first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (47, '844', 2, 'unheld', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (48, '854', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (49, '855', 1, 'completed', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (50, '856', 0, 'acquired', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (51, '857', 1, 'failed', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (52, '858', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (53, '859', 1, 'completed', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (54, '860', 0, 'acquired', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (56, '862', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (57, '863', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (58, '864', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (59, '865', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (60, '866', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (61, '873', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (63, '875', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (66, '877', 0, 'acquired', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (67, '878', 1, 'failed', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (68, '878', 1, 'skipped', 'default', 242, '018bcfe5-6800-7000-8007-000000000002', '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (69, '878', 1, 'flow_failed', 'default', 242, NULL, '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (70, '879', 0, 'acquired', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (76, '882', 0, 'acquired', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (77, '883', 2, 'flow_cancel_requested', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-000000000009","cancellation_policy":"cancel_all","reason":"enough","member_count":2}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (78, '883', 1, 'flow_cancelled', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (79, '883', 0, 'revoked', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 2, '{"reason":"enough"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (80, '883', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 3, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (81, '883', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000002', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (82, '884', 0, 'acquired', 'default', 95, '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (83, '885', 2, 'flow_cancel_requested', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000a","cancellation_policy":"cancel_pending","reason":"enough","member_count":1}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (84, '885', 1, 'flow_cancelled', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (85, '885', 1, 'cancelled', 'default', 95, '018bcfe5-6800-7000-800a-000000000002', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (86, '886', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (87, '887', 2, 'flow_cancel_requested', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000b","cancellation_policy":"flow_only","reason":"enough","member_count":0}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (88, '887', 1, 'flow_cancelled', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (89, '894', 2, 'lane_paused', 'default', 0, NULL, NULL, 1, '{"lane":"paused","reason":"provider is down"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (90, '896', 2, 'lane_paused', 'default', 0, NULL, NULL, 1, '{"lane":"resumed","reason":"for a moment"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (91, '897', 2, 'lane_resumed', 'default', 0, NULL, NULL, 2, '{"lane":"resumed","paused_since_ms":1700000236000}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (92, '899', 2, 'lane_paused', 'tenant-a', 0, NULL, NULL, 1, '{"lane":"default","reason":""}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (93, '902', 2, 'priority_changed', 'default', 86, '018bcfe5-6800-7000-8000-000000000015', NULL, 1, '{"old_priority":0,"new_priority":7}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (94, '908', 2, 'held', 'default', 239, '018bcfe5-6800-7000-8000-000000000019', NULL, 1, '{"reason":"ask first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (95, '910', 0, 'acquired', 'default', 59, '018bcfe5-6800-7000-8000-00000000001a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (97, '913', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8000-00000000001b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (98, '918', 0, 'acquired', 'default', 7, '018bcfe5-6800-7000-8000-00000000001c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (55, '861', 1, 'completed', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (62, '874', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (64, '876', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (65, '876', 1, 'flow_completed', 'default', 211, NULL, '018bcfe5-6800-7000-80ff-000000000006', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (71, '880', 1, 'failed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 2, '{"code":"boom"}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (72, '880', 1, 'skipped', 'default', 29, '018bcfe5-6800-7000-8008-000000000002', '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (73, '880', 1, 'flow_failed', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (74, '881', 2, 'flow_reopened', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 2, NULL, 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (75, '881', 2, 'replayed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"failed","previous_attempt":0}', 1700000236000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (96, '911', 0, 'retry_scheduled', 'default', 59, '018bcfe5-6800-7000-8000-00000000001a', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700003836000}', 1700000236000);


--
-- Data for Name: ff_exec_core; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_exec_core VALUES (213, '018bcfe5-6800-7000-8000-000000000008', 'default', 'expired', NULL, 'mail', 0, NULL, NULL, 1700000232000, NULL, 3, 8, 5, 4, 10, 0, 0, 0, 0, 0, 0, 1, 1700000232000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, 1700000233000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (32, '018bcfe6-eea0-7643-9758-4c28ba83a61e', 'default', 'reports', NULL, 'report', 0, NULL, NULL, 1700000202000, '{"schedule.name":"often","schedule.slot":"2023-11-14T22:15:00.000Z"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (32, '018bcfe7-d900-765f-8002-33b1d051c5b2', 'default', 'reports', NULL, 'report', 0, NULL, NULL, 1700000202000, '{"schedule.name":"often","schedule.slot":"2023-11-14T22:16:00.000Z"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 'default', 'failed', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000202000, NULL, 3, 8, 5, 2, 8, 0, 2, 3, 2, 0, 0, 6, 1700000214000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000222000, NULL, NULL, NULL, NULL, 'smtp_down', 'no answer', NULL, NULL, 0, '3.0aaaed06c662', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (194, '018bcfe5-6800-7000-8000-000000000002', 'default', 'completed', NULL, 'mail', 0, NULL, 'order-1', 1700000202000, '{"order.id":"1","team.name":"ü\n{}"}', 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000202000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.5138762ea8ae', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (235, '018bcfe5-6800-7000-8000-000000000003', 'default', 'completed-without-a-result', NULL, 'mail', 0, '{"retention_ms":2592000000}', NULL, 1700000202000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000202000, NULL, NULL, NULL, NULL, NULL, 1700000202000, 1700000202000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.1b96789aec45', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (252, '018bcfe5-6800-7000-8000-000000000009', 'default', 'cancelled', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, 'not wanted', 'operator_override', NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (160, '018bcfe5-6800-7000-8000-000000000005', 'default', 'failed-for-good-at-once', NULL, 'mail', 0, NULL, NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000232000, NULL, NULL, NULL, NULL, 'bad_address', '', NULL, NULL, 0, '1.976871dedd05', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (2, '018bcfe5-6800-7000-8000-00000000000d', 'default', 'put-off', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 1, 2, 0, 1, 0, 0, 1, 0, 0, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, 1700003834000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.f2b0413963ea', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (78, '018bcfe5-6800-7000-8000-00000000000a', 'default', 'cancelled-while-it-ran', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, 1700000234000, NULL, NULL, 'stop', 'application', NULL, NULL, NULL, NULL, 0, '1.97bc0834af38', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (163, '018bcfe5-6800-7000-8000-000000000007', 'default', 'lost', NULL, 'mail', 0, '{"max_interruptions":0}', NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 2, 0, 1, 0, 3, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000234000, NULL, NULL, NULL, NULL, 'worker_lost', 'interrupted 1 times; the policy allows 0', NULL, NULL, 0, '1.4313bae9f896', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (123, '018bcfe5-6800-7000-8000-000000000006', 'default', 'timed-out', NULL, 'mail', 0, '{"attempt_timeout_ms":1000}', NULL, 1700000232000, NULL, 3, 8, 5, 2, 8, 0, 0, 2, 0, 0, 0, 2, 1700000232000, NULL, NULL, NULL, NULL, NULL, 1700000232000, 1700000234000, NULL, NULL, NULL, NULL, 'attempt_timeout', 'the attempt ran longer than 1000 ms', NULL, NULL, 0, '1.eae8c0c20472', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (69, '018bcfe5-6800-7000-8000-00000000000b', 'default', 'completed-twice', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 3, 8, 5, 1, 7, 0, 0, 3, 0, 0, 1, 5, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '3.e3b0ece758bd', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (164, '018bcfe5-6800-7000-8000-00000000000c', 'default', 'released', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.5f6b357bfb61', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (195, '018bcfe5-6800-7000-8000-00000000000e', 'default', 'revoked', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 2, 1700000234000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.a528f2487b11', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000001', 'default', 'all-of-a', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.8f814e32ef48', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8000-00000000000f', 'default', 'interrupted', NULL, 'mail', 0, NULL, NULL, 1700000234000, NULL, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000234000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.7687c4858362', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000001', 'default', 'any-of-a', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, 'boom', '', NULL, NULL, 0, '1.116a7d136f6f', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-8000-000000000010', 'default', 'replayed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 1, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.e04460e1f74c', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8000-000000000011', 'default', 'held-and-let-go', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000002', 'default', 'all-of-b', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000003', 'default', 'all-of-c', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000004', 'default', 'all-of-d', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000002', 'default', 'any-of-b', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000003', 'default', 'any-of-c', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000004', 'default', 'any-of-d', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000001', 'default', 'any-of-let-run-a', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000003', 'default', 'any-of-let-run-c', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000002', 'default', 'any-of-let-run-b', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.f030380e6b97', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000004', 'default', 'any-of-let-run-d', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-800b-000000000002', 'default', 'flow-only-b', '018bcfe5-6800-7000-80ff-00000000000b', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (208, '018bcfe5-6800-7000-8063-000000000001', 'default', 'by-hand-a', '018bcfe5-6800-7000-80ff-000000000063', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (29, '018bcfe5-6800-7000-8008-000000000002', 'default', 'reopened-flow-b', '018bcfe5-6800-7000-80ff-000000000008', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 5, 11, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (29, '018bcfe5-6800-7000-8008-000000000001', 'default', 'reopened-flow-a', '018bcfe5-6800-7000-80ff-000000000008', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 1, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.fc633314695b', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (208, '018bcfe5-6800-7000-8063-000000000002', 'default', 'by-hand-b', '018bcfe5-6800-7000-80ff-000000000063', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (60, '018bcfe5-6800-7000-8009-000000000001', 'default', 'cancelled-flow-a', '018bcfe5-6800-7000-80ff-000000000009', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, '1.fc1eb11d40fe', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (60, '018bcfe5-6800-7000-8009-000000000002', 'default', 'cancelled-flow-b', '018bcfe5-6800-7000-80ff-000000000009', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (95, '018bcfe5-6800-7000-800a-000000000001', 'default', 'cancelled-pending-a', '018bcfe5-6800-7000-80ff-00000000000a', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.95b3a815e98b', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (95, '018bcfe5-6800-7000-800a-000000000002', 'default', 'cancelled-pending-b', '018bcfe5-6800-7000-80ff-00000000000a', 'mail', 0, NULL, NULL, 1700000236000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-800b-000000000001', 'default', 'flow-only-a', '018bcfe5-6800-7000-80ff-00000000000b', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.53dcf90b1446', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (132, '018bcfe5-6800-7000-8000-000000000012', 'default', 'paused', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (56, '018bcfe5-6800-7000-8000-000000000013', 'default', 'resumed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-000000000015', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000236000, '{"order.id":"2"}', 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-000000000016', 'default', 'default', NULL, 'mail', 1, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-000000000017', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700086636000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (239, '018bcfe5-6800-7000-8000-000000000019', 'default', 'held', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (7, '018bcfe5-6800-7000-8000-00000000001c', 'default', 'active-with-an-expired-lease', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 1000, 1700000237000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.e7720a6b9f75', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000002', 'default', 'quorum-b', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000003', 'default', 'quorum-c', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000004', 'default', 'quorum-d', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8006-000000000001', 'default', 'completed-flow-a', '018bcfe5-6800-7000-80ff-000000000006', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.50d8452e56fc', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000001', 'default', 'quorum-a', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.2c70a7e4cc34', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000001', 'default', 'quorum-let-run-a', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.326e0027c2d0', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000002', 'default', 'quorum-let-run-b', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.2688aeb193c2', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000004', 'default', 'quorum-let-run-d', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000003', 'default', 'quorum-let-run-c', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.33ff23fb25df', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8006-000000000002', 'default', 'completed-flow-b', '018bcfe5-6800-7000-80ff-000000000006', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '1.280fb484152d', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (242, '018bcfe5-6800-7000-8007-000000000001', 'default', 'failed-flow-a', '018bcfe5-6800-7000-80ff-000000000007', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, 'boom', '', NULL, NULL, 0, '1.79b1e0787c20', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (242, '018bcfe5-6800-7000-8007-000000000002', 'default', 'failed-flow-b', '018bcfe5-6800-7000-80ff-000000000007', 'mail', 0, NULL, NULL, 1700000236000, NULL, 3, 8, 5, 5, 11, 0, 0, 0, 0, 0, 0, 1, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (63, '018bcfe5-6800-7000-8000-000000000014', 'tenant-a', 'of-a-tenant', NULL, 'mail', 0, NULL, NULL, 1700000236000, '{"team.name":"a"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-0000000003e7', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (48, '018bcfe5-6800-7000-8000-000000000018', 'default', 'delayed', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700003836000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (59, '018bcfe5-6800-7000-8000-00000000001a', 'default', 'waiting-for-its-retry', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000236000, NULL, 0, 1, 3, 0, 1, 0, 0, 1, 1, 0, 0, 2, 1700000236000, NULL, NULL, NULL, NULL, NULL, 1700000236000, NULL, 1700003836000, NULL, NULL, NULL, 'smtp_down', '', NULL, NULL, 0, '1.57cfc1064b0f', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8000-00000000001b', 'default', 'active', NULL, 'print', 0, '{"attempt_timeout_ms":7200000}', NULL, 1700000236000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000236000, 'worker-1', 'worker-1/a', 3600000, 1700003836000, 1700000236000, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 40, 'half way', 0, '1.d74d1f08dbfc', 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (227, '018bcfe5-6800-7000-8000-00000000001d', 'default', 'delayed-and-due', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000237000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);
INSERT INTO public.ff_exec_core VALUES (44, '018bcfe5-6800-7000-8000-00000000001e', 'default', 'past-its-deadline', NULL, 'mail', 0, NULL, NULL, 1700000236000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000236000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000237000, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 847973539258144859);


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

INSERT INTO public.ff_meta VALUES ('store', 'postgres-4de7db000dd6-ec1723');
INSERT INTO public.ff_meta VALUES ('purged', '772:771:2');


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


