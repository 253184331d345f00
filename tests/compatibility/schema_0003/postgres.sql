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
            WHEN (e.event_type = 'acquired'::text) THEN ((((((( SELECT ff_meta.value
               FROM public.ff_meta
              WHERE (ff_meta.name = 'store'::text)) || ':'::text) || e.execution_id) || ':'::text) || ((e.details)::json ->> 'attempt_index'::text)) || ':'::text) || ((e.details)::json ->> 'lease_epoch'::text))
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
-- Name: ff_schema_version; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ff_schema_version (
    version integer NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
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

INSERT INTO public.ff_attempt VALUES (194, '018bcfe5-6800-7000-8000-000000000002', 0, 1, 'worker-1', 'worker-1/a', 1700000002000, 1700000002000, 0);
INSERT INTO public.ff_attempt VALUES (235, '018bcfe5-6800-7000-8000-000000000003', 0, 1, 'worker-1', 'worker-1/a', 1700000002000, 1700000002000, 0);
INSERT INTO public.ff_attempt VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 0, 1, 'worker-1', 'worker-1/a', 1700000002000, 1700000002000, 2);
INSERT INTO public.ff_attempt VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 1, 2, 'worker-1', 'worker-1/a', 1700000012000, 1700000012000, 2);
INSERT INTO public.ff_attempt VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 2, 3, 'worker-1', 'worker-1/a', 1700000022000, 1700000022000, 1);
INSERT INTO public.ff_attempt VALUES (160, '018bcfe5-6800-7000-8000-000000000005', 0, 1, 'worker-1', 'worker-1/a', 1700000032000, 1700000032000, 1);
INSERT INTO public.ff_attempt VALUES (163, '018bcfe5-6800-7000-8000-000000000007', 0, 1, 'worker-1', 'worker-1/a', 1700000032000, 1700000034000, 3);
INSERT INTO public.ff_attempt VALUES (123, '018bcfe5-6800-7000-8000-000000000006', 0, 1, 'worker-1', 'worker-1/a', 1700000032000, 1700000034000, 1);
INSERT INTO public.ff_attempt VALUES (78, '018bcfe5-6800-7000-8000-00000000000a', 0, 1, 'worker-1', 'worker-1/a', 1700000034000, 1700000034000, 5);
INSERT INTO public.ff_attempt VALUES (69, '018bcfe5-6800-7000-8000-00000000000b', 0, 3, 'worker-1', 'worker-1/a', 1700000034000, 1700000034000, 0);
INSERT INTO public.ff_attempt VALUES (164, '018bcfe5-6800-7000-8000-00000000000c', 0, 1, 'worker-1', 'worker-1/a', 1700000034000, 1700000034000, 4);
INSERT INTO public.ff_attempt VALUES (2, '018bcfe5-6800-7000-8000-00000000000d', 0, 1, 'worker-1', 'worker-1/a', 1700000034000, 1700000034000, 4);
INSERT INTO public.ff_attempt VALUES (195, '018bcfe5-6800-7000-8000-00000000000e', 0, 1, 'worker-1', 'worker-1/a', 1700000034000, 1700000034000, 3);
INSERT INTO public.ff_attempt VALUES (118, '018bcfe5-6800-7000-8000-00000000000f', 0, 1, 'worker-1', 'worker-1/a', 1700000034000, 1700000036000, 3);
INSERT INTO public.ff_attempt VALUES (126, '018bcfe5-6800-7000-8000-000000000010', 0, 2, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_attempt VALUES (52, '018bcfe5-6800-7000-8001-000000000001', 0, 1, 'worker-1', 'worker-1/a', 1700000036000, 1700000036000, 0);
INSERT INTO public.ff_attempt VALUES (87, '018bcfe5-6800-7000-8002-000000000001', 0, 1, 'worker-1', 'worker-1/a', 1700000036000, 1700000036000, 1);
INSERT INTO public.ff_attempt VALUES (118, '018bcfe5-6800-7000-8003-000000000002', 0, 1, 'worker-1', 'worker-1/a', 1700000036000, 1700000036000, 0);
INSERT INTO public.ff_attempt VALUES (145, '018bcfe5-6800-7000-8004-000000000001', 0, 1, 'worker-1', 'worker-1/a', 1700000036000, 1700000036000, 0);
INSERT INTO public.ff_attempt VALUES (176, '018bcfe5-6800-7000-8005-000000000001', 0, 1, 'worker-1', 'worker-1/a', 1700000036000, 1700000036000, 0);
INSERT INTO public.ff_attempt VALUES (176, '018bcfe5-6800-7000-8005-000000000002', 0, 1, 'worker-1', 'worker-1/a', 1700000036000, 1700000036000, 0);
INSERT INTO public.ff_attempt VALUES (211, '018bcfe5-6800-7000-8006-000000000001', 0, 1, 'worker-1', 'worker-1/a', 1700000036000, 1700000036000, 0);
INSERT INTO public.ff_attempt VALUES (211, '018bcfe5-6800-7000-8006-000000000002', 0, 1, 'worker-1', 'worker-1/a', 1700000036000, 1700000036000, 0);
INSERT INTO public.ff_attempt VALUES (242, '018bcfe5-6800-7000-8007-000000000001', 0, 1, 'worker-1', 'worker-1/a', 1700000036000, 1700000036000, 1);
INSERT INTO public.ff_attempt VALUES (29, '018bcfe5-6800-7000-8008-000000000001', 0, 2, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_attempt VALUES (60, '018bcfe5-6800-7000-8009-000000000001', 0, 1, 'worker-1', 'worker-1/a', 1700000036000, 1700000036000, 5);
INSERT INTO public.ff_attempt VALUES (59, '018bcfe5-6800-7000-8000-00000000001a', 0, 1, 'worker-1', 'worker-1/a', 1700000036000, 1700000036000, 2);


--
-- Data for Name: ff_batch; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_batch VALUES ('\xc94264987762a2a4c0b7f3b3cd988abf', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\x87e26dc1c15b0f732da5b5a24412a3c5', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\x5e16470fba7dafdf0f4305ee24bc49d4', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\xaa9775a93ae2c10cdc707808f971ea1d', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x325132449deff4913682400a5983d546', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xbbc1d7c76454703a14cc00247b8f04b8', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xeeff41298d9e15597d2bc9674371796f', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xc33b19f12c3de683840635f3e02162a9', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xdd7f689ed670a1e4dac20f5d2b9ad4e6', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x911348eae192afdddfdbdea644ee62f0', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x7e887c2ad136af658bb7e8eb5053cb91', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x41f7c30e32f0d6a61ddb5929e230d2e4', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x7d2b3038a7fa0fd1165e9de5f18fd127', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x72c9663f0e7eddf7fb9618b069fdd201', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x80ed59d6c2795791ee297aacd93e0c55', 1700000012000);
INSERT INTO public.ff_batch VALUES ('\xf426a3cdea021829c6145b24128721ff', 1700000012000);
INSERT INTO public.ff_batch VALUES ('\xd0dedc21024f146e84bb8a35cdefbed9', 1700000012000);
INSERT INTO public.ff_batch VALUES ('\xf91de51d974fb0d1a91d3882015f28ff', 1700000012000);
INSERT INTO public.ff_batch VALUES ('\x159b5288ac0be4ab57232f90c1054615', 1700000022000);
INSERT INTO public.ff_batch VALUES ('\xa74822899da0a1a881033f72acb6f2a6', 1700000022000);
INSERT INTO public.ff_batch VALUES ('\x3ae98861db4c15789b30c079095484dd', 1700000022000);
INSERT INTO public.ff_batch VALUES ('\xd0db45c92a703b9d9aa5075a9600eefd', 1700000022000);
INSERT INTO public.ff_batch VALUES ('\x3f0929e9873ccab99c42444052873ca7', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\x72e510935daa50958b3d1b6d55c01328', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\x1b293cf0d51ee6bdce6b65b83322a57d', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\x7193256737ee6b09df34da2ec8f53610', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\x72a76206d6b36a744220a749f1b9e403', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\x394ee3563f1acd899b95e8d71b69f1d9', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\xcfc81a9fc26f8ac144f32a601a01ae54', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\xb4d383000da66ffffef4e400a8d14d07', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\x141c8399eb20626991159eb37f25cf72', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\x5696ba14d7de29cae3ba6d23861070e2', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xd053d511cf107d1a486c2a389cb5db69', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x1ef3c2e29f8fe877a0d6acab7d80c287', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x82a86d155e31b86e23776867e6edd5bb', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xf7f8fba6525c3b812d16587efae47936', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x2e79bc2e544d304962be733e98235c7b', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x57c594ae2b45afebacb12da7f9b5d545', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xc197f81b494ea8f43e710b58e7f4abc0', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x516478337bc58632c22ed753c0206855', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x703435c8bc42578a12efd02c607e84ea', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xacc7cef75cc1c8573db1796914ed43cc', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xb46213ea517b2fda299a61d7529c68ea', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x34ea283a42a43ace93f806d1363beb98', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x213b645466c070da180bcebcede438b2', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x723997552113c07782720efed2a0afc6', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xb4f5e2129aff11ed1a0ce194cedb59ee', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xdf67a2eda1b509dd7fac3b5e5e96c3eb', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xb9bb0d24435cffce0268e7c872167ea2', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x2a6dff771e336b2a6db027d123b2ce27', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xa67314e51aaf722a410774b0c7c3e9b0', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x29018db2fae91767de2bc470183e5474', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x99ce4edc0aa2c1e966afff9dc7fc16f9', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xfd95af49d5b3ce9f9377ddf5d84d6475', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xc1d4650155a2ae454ba0225958110f6b', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x71859406933f6406a240431724743164', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x42a02757b8e643567f693b44571a4ac7', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xe9b250a7acc53a5aac0d291f329e93d5', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x6d9758f2a4bc4513547a4aa0880d1f5f', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xf4086cc2cdc280ac6f35f3c5c23bd6e0', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x57121bff6fae0050365c861813ae708c', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xa941aa3f40a4b3a7f6bd88111aedeb4e', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x8a01373958d17146382daba79d3116f8', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x7a03addd17df6c0f74e802b2e4a1d20c', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x3ab3ef2f545e6b2515a37d995af14988', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x8f60dc316d0249812567a07cc9645161', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x5d375ece07bf409897b97fce17bc1ff1', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xc71a55f8392f204bc95fda9e6a35fdfb', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x0d06054147798e82eeab2dcdf6ec7c88', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x415bd648374beec3dbb2430c5ee69bcc', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xec71a82872705c507818b4b29e92cbdf', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x6e085f77c3bacb78922ec7d6d8c83564', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xba61422cd0c7a4291c404c18fb2af011', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x9b16c78662a8ba70ded0844198660856', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x48a23ad756ee236fceeb3cd141074d61', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x93f3848e02a8cc1481da27f4aa7b41ab', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x059d6af36ddf969261e38771ecf1a38b', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xa877f7978ea0363723a9ccbee454eb99', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x034a8457329440f2c2da110941751b0b', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xa1eb7bba8d967e53f5a85c2c00d37293', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x4af9d25fab8f548da3d79d53fe269ebc', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x51e2fcd827580da651c70f95faf744c2', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x6c5e14c22bff98645850fc192804daa0', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xcbee5f8280e384f80baee814a6418446', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x2a5fb1ff36d11828d3c47ef2ee97d933', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xf4c48657fd2746bfea229e25001372c4', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x4314c57aa3fa3c502d6b14cdc81308c6', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xdecde420757e9c173e460b22477d1e12', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xb322e09976ae575a42b5ce7045bd9fc0', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x6d71190e523de6ffa66f8863e79a89d7', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x4cbdc2b810cd3e8ce9a8abb0082546b1', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x2086f715095edfc2bec0eb5f93af1e1f', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x465b17da3bac4adaaa66f21796cb89fc', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xe07b3ce402dbe88b03af6444375ea273', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x242264aebed638d5467a46f8b5c4916f', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xf31d363fdb8683ca5e9aa09b240a26eb', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x1247ad0733652bc878dcaa1a783a28cc', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x1224726b89b9ac37e39753ae8f075324', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x2b7cc58ebe99b2fa5cbd651c84974d69', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x761f5329b3483b64cbb827ad75141bbc', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xef9e2a11a0b80cda27367b6458c8c083', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xf11be99e0d7836d549611bdc8b787c9b', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xa2fe96899d2f2ece13277f2e898a9bba', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x72fee124891907f847dd1942203f7d17', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xb10414ff1f1225847b11f2abba680a93', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x9a97913f8f93e7c2e18a5f13e25aba68', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x97b0e663f9df706a98f4b9178c93abe0', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x2688fd6be2309d662b8df2e346dbbf46', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xddae497a41ad0258a1249205e6be402d', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xa3d5d0fe6892ef04fa6cbf81086c7c49', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x8753bb62e965f5dbd0d9a5c7d0afc5da', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xb22ddf82ce1af800bcb1cab42c892e82', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x51ed1434d19ace547ec3b82f17730181', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x0550f9bbc4c9e99f3f50a6bbc9f78999', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xdc50e13914710d3e7428fbe882b61fea', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x204cff527c578919d07b784d3378416b', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xada529fb0043dc693641200ac1455080', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x87bb4330332ec65f88055f7f3eec5854', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xa5dbcb927f339d0a5a708707b1456bf9', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xb58ea014c8066e40badf23295ed33124', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x232ca59bcd5bede206fb8b7a7d26c2bb', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x4ce260e9635dfd272ed5ca4b8c1358cf', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xa7f5fa0ce33b79f21793992a058dd67a', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x2c0473f0e1b1b88176bccb673ff41dad', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x0398d425ef23e49c42f9b3920e47d7bf', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x8196e2b610f160125b031a27254d6fa0', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xe64ef14b75ef660e08e9f47ade956994', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x7055c3aaa20cd6ec4a88e9f6ac9fba67', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x949e29531f643ff908c09d25c464eb2f', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x63464db204ae10d437440e95566c189a', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x63243bc3ecaedae54a667f3605978ccf', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x6aa516dcec21386ea7592aef1cbf7781', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x0cb93b510bb585a54482debd9cbc9492', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x72060104c821f865426a6c187d78b25d', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xdab1c6c9e85f6dd155e832edfaa84e74', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x0f9a61a65ce74abd2a076f78ec1a9293', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x885d4bded964c01641cd3fda5df7e9b1', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x4f3f6c62852f2e963a1899945254bd68', 1700000036000);


--
-- Data for Name: ff_cancel_backlog; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_cancel_backlog VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', 1700000036000, 1);


--
-- Data for Name: ff_cancel_backlog_member; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_cancel_backlog_member VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', '018bcfe5-6800-7000-8009-000000000001', 1700003636000);


--
-- Data for Name: ff_capability_set; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_capability_set OVERRIDING SYSTEM VALUE VALUES (1, '["gpu","ssd"]');


--
-- Data for Name: ff_command; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_command VALUES ('', 'cancel-1', '\x3d72f5c864b51f7e522f91c5f01920a1', '\x82a7616e73776572739183a474797065a943616e63656c6c6564ac657865637574696f6e5f6964d92d7b66703a3235327d3a30313862636665352d363830302d373030302d383030302d303030303030303030303039ac7075626c69635f7374617465a963616e63656c6c6564a769735f6c697374c2', 1700086434000);
INSERT INTO public.ff_command VALUES ('', 'create-1', '\x05ffcf6ffc4116e2391770c27800b35a', '\x82a7616e73776572739183a474797065a743726561746564ac657865637574696f6e5f6964d92c7b66703a38367d3a30313862636665352d363830302d373030302d383030302d303030303030303030336537ac7075626c69635f7374617465a777616974696e67a769735f6c697374c2', 1700086436000);


--
-- Data for Name: ff_due; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_due VALUES (4, 1702592002000, 235, '018bcfe5-6800-7000-8000-000000000003');
INSERT INTO public.ff_due VALUES (3, 1700003634000, 2, '018bcfe5-6800-7000-8000-00000000000d');
INSERT INTO public.ff_due VALUES (2, 1700003636000, 176, '018bcfe5-6800-7000-8005-000000000003');
INSERT INTO public.ff_due VALUES (2, 1700003636000, 95, '018bcfe5-6800-7000-800a-000000000001');
INSERT INTO public.ff_due VALUES (2, 1700003636000, 126, '018bcfe5-6800-7000-800b-000000000001');
INSERT INTO public.ff_due VALUES (0, 1700086436000, 86, '018bcfe5-6800-7000-8000-000000000017');
INSERT INTO public.ff_due VALUES (3, 1700003636000, 48, '018bcfe5-6800-7000-8000-000000000018');
INSERT INTO public.ff_due VALUES (3, 1700003636000, 59, '018bcfe5-6800-7000-8000-00000000001a');
INSERT INTO public.ff_due VALUES (2, 1700003636000, 52, '018bcfe5-6800-7000-8000-00000000001b');
INSERT INTO public.ff_due VALUES (2, 1700000037000, 7, '018bcfe5-6800-7000-8000-00000000001c');
INSERT INTO public.ff_due VALUES (3, 1700000037000, 227, '018bcfe5-6800-7000-8000-00000000001d');
INSERT INTO public.ff_due VALUES (0, 1700000037000, 44, '018bcfe5-6800-7000-8000-00000000001e');


--
-- Data for Name: ff_edge; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f7-d8c0-7000-8001-484237aa18c4', '018bcfe5-6800-7000-8001-000000000002', '018bcfe5-6800-7000-8001-000000000004', 'right', 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f7-d8c0-7000-8002-b436fa4eae54', '018bcfe5-6800-7000-8001-000000000003', '018bcfe5-6800-7000-8001-000000000004', NULL, 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f7-d8c2-7000-8001-8acc37b2dfcf', '018bcfe5-6800-7000-8002-000000000002', '018bcfe5-6800-7000-8002-000000000004', 'right', 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f7-d8c2-7000-8002-7bbf377d5382', '018bcfe5-6800-7000-8002-000000000003', '018bcfe5-6800-7000-8002-000000000004', NULL, 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f7-d8c4-7000-8000-a1d126aeb996', '018bcfe5-6800-7000-8003-000000000001', '018bcfe5-6800-7000-8003-000000000004', 'left', 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f7-d8c4-7000-8002-65a08a4bcd78', '018bcfe5-6800-7000-8003-000000000003', '018bcfe5-6800-7000-8003-000000000004', NULL, 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f7-d8c5-7000-8001-e95e87d0d3ac', '018bcfe5-6800-7000-8004-000000000002', '018bcfe5-6800-7000-8004-000000000004', 'right', 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f7-d8c5-7000-8002-844304b60cff', '018bcfe5-6800-7000-8004-000000000003', '018bcfe5-6800-7000-8004-000000000004', NULL, 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f7-d8c6-7000-8002-73bf2044766b', '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-8005-000000000004', NULL, 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f7-d8c0-7000-8000-add12bf8c6bd', '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-8001-000000000004', 'left', 1700000036000, 1, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f7-d8c2-7000-8000-e3a3d60116d2', '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-8002-000000000004', 'left', 1700000036000, 2, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f7-d8c4-7000-8001-5f2e8564a6d4', '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-8003-000000000004', 'right', 1700000036000, 1, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f7-d8c5-7000-8000-c0b0b3df5136', '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-8004-000000000004', 'left', 1700000036000, 1, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f7-d8c6-7000-8000-5483b5ffb5f4', '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-8005-000000000004', 'left', 1700000036000, 1, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f7-d8c6-7000-8001-77eb2cbf85f1', '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-8005-000000000004', 'right', 1700000036000, 1, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (95, '018bcfe5-6800-7000-80ff-00000000000a', '01a1f1f7-d8e2-7000-8000-856307cba465', '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-800a-000000000002', 'before', 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (126, '018bcfe5-6800-7000-80ff-00000000000b', '01a1f1f7-d8e3-7000-8000-9b9f959d721e', '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-800b-000000000002', 'before', 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (211, '018bcfe5-6800-7000-80ff-000000000006', '01a1f1f7-d8dd-7000-8000-429f2bdaaaa3', '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-8006-000000000002', 'before', 1700000036000, 1, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (242, '018bcfe5-6800-7000-80ff-000000000007', '01a1f1f7-d8de-7000-8000-c5f849c876b2', '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-8007-000000000002', 'before', 1700000036000, 2, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (29, '018bcfe5-6800-7000-80ff-000000000008', '01a1f1f7-d8e0-7000-8000-3ec59a682bb1', '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-8008-000000000002', 'before', 1700000036000, 2, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', '01a1f1f7-d8e1-7000-8000-b683a0d15709', '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-8009-000000000002', 'before', 1700000036000, 3, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (208, '018bcfe5-6800-7000-80ff-000000000063', 'by-hand-1', '018bcfe5-6800-7000-8063-000000000001', '018bcfe5-6800-7000-8063-000000000002', 'before', 1700000036000, 0, -1, NULL);


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

INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (3, '769', 0, 'acquired', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (4, '770', 1, 'completed', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 2, NULL, 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (5, '772', 0, 'acquired', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (6, '773', 1, 'completed', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 2, NULL, 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (7, '775', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (8, '776', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700000003000}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (9, '779', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 3, '{"attempt_index":1,"lease_epoch":2,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000012000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (10, '780', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 4, '{"code":"smtp_down","next_attempt_index":2,"delay_until_ms":1700000014000}', 1700000012000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (11, '783', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 5, '{"attempt_index":2,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000022000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (12, '784', 1, 'failed', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 6, '{"code":"smtp_down"}', 1700000022000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (13, '787', 0, 'acquired', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000032000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (14, '788', 1, 'failed', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 2, '{"code":"bad_address"}', 1700000032000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (15, '790', 0, 'acquired', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000032000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (16, '792', 0, 'acquired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000032000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (17, '794', 0, 'expired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 2, NULL, 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (18, '794', 1, 'failed', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 3, '{"code":"worker_lost"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (19, '795', 1, 'failed', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 2, '{"code":"attempt_timeout"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (20, '796', 1, 'expired', 'default', 213, '018bcfe5-6800-7000-8000-000000000008', NULL, 1, NULL, 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (21, '799', 1, 'cancelled', 'default', 252, '018bcfe5-6800-7000-8000-000000000009', NULL, 1, '{"reason":"not wanted","source":"operator_override"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (22, '801', 0, 'acquired', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (23, '802', 0, 'revoked', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 2, '{"reason":"stop"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (24, '802', 1, 'cancelled', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 3, '{"reason":"stop","source":"application"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (25, '804', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (26, '805', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 2, NULL, 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (27, '806', 2, 'replayed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (28, '807', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 4, '{"attempt_index":0,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"replay"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (29, '808', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 5, NULL, 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (30, '810', 0, 'acquired', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (31, '811', 0, 'released', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 2, NULL, 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (32, '813', 0, 'acquired', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (33, '814', 0, 'released', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 2, '{"delay_until_ms":1700003634000}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (34, '816', 0, 'acquired', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (35, '817', 0, 'revoked', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 2, '{"reason":"drain"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (36, '819', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (37, '820', 0, 'expired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (38, '823', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (39, '824', 1, 'completed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (40, '825', 2, 'replayed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (41, '827', 2, 'held', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 1, '{"reason":"look first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (42, '828', 2, 'unheld', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (43, '838', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (44, '839', 1, 'completed', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (45, '840', 0, 'acquired', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (46, '841', 1, 'failed', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 2, '{"code":"boom"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (47, '842', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (48, '843', 1, 'completed', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (49, '844', 0, 'acquired', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (50, '845', 1, 'completed', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (51, '846', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (52, '847', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (53, '848', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (54, '849', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (55, '850', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (56, '857', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (58, '859', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (61, '861', 0, 'acquired', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (62, '862', 1, 'failed', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 2, '{"code":"boom"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (63, '862', 1, 'skipped', 'default', 242, '018bcfe5-6800-7000-8007-000000000002', '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (64, '862', 1, 'flow_failed', 'default', 242, NULL, '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (65, '863', 0, 'acquired', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (71, '866', 0, 'acquired', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (72, '867', 2, 'flow_cancel_requested', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-000000000009","cancellation_policy":"cancel_all","reason":"enough","member_count":2}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (73, '867', 1, 'flow_cancelled', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (74, '867', 0, 'revoked', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 2, '{"reason":"enough"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (75, '867', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 3, '{"reason":"enough","source":"cancel_flow"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (76, '867', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000002', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (77, '868', 0, 'acquired', 'default', 95, '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (78, '869', 2, 'flow_cancel_requested', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000a","cancellation_policy":"cancel_pending","reason":"enough","member_count":1}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (79, '869', 1, 'flow_cancelled', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (80, '869', 1, 'cancelled', 'default', 95, '018bcfe5-6800-7000-800a-000000000002', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (81, '870', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (82, '871', 2, 'flow_cancel_requested', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000b","cancellation_policy":"flow_only","reason":"enough","member_count":0}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (83, '871', 1, 'flow_cancelled', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (84, '882', 2, 'priority_changed', 'default', 86, '018bcfe5-6800-7000-8000-000000000015', NULL, 1, '{"old_priority":0,"new_priority":7}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (85, '888', 2, 'held', 'default', 239, '018bcfe5-6800-7000-8000-000000000019', NULL, 1, '{"reason":"ask first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (86, '890', 0, 'acquired', 'default', 59, '018bcfe5-6800-7000-8000-00000000001a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (88, '893', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8000-00000000001b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (89, '898', 0, 'acquired', 'default', 7, '018bcfe5-6800-7000-8000-00000000001c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (57, '858', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (59, '860', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (60, '860', 1, 'flow_completed', 'default', 211, NULL, '018bcfe5-6800-7000-80ff-000000000006', 1, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (66, '864', 1, 'failed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 2, '{"code":"boom"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (67, '864', 1, 'skipped', 'default', 29, '018bcfe5-6800-7000-8008-000000000002', '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (68, '864', 1, 'flow_failed', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (69, '865', 2, 'flow_reopened', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (70, '865', 2, 'replayed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"failed","previous_attempt":0}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (87, '891', 0, 'retry_scheduled', 'default', 59, '018bcfe5-6800-7000-8000-00000000001a', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700003636000}', 1700000036000);


--
-- Data for Name: ff_exec_core; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_exec_core VALUES (160, '018bcfe5-6800-7000-8000-000000000005', 'default', 'failed-for-good-at-once', NULL, 'mail', 0, NULL, NULL, 1700000032000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000032000, NULL, NULL, NULL, NULL, NULL, 1700000032000, 1700000032000, NULL, NULL, NULL, NULL, 'bad_address', '', NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (194, '018bcfe5-6800-7000-8000-000000000002', 'default', 'completed', NULL, 'mail', 0, NULL, 'order-1', 1700000002000, '{"order.id":"1","team.name":"ü\n{}"}', 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000002000, NULL, NULL, NULL, NULL, NULL, 1700000002000, 1700000002000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (235, '018bcfe5-6800-7000-8000-000000000003', 'default', 'completed-without-a-result', NULL, 'mail', 0, '{"retention_ms":2592000000}', NULL, 1700000002000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000002000, NULL, NULL, NULL, NULL, NULL, 1700000002000, 1700000002000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (163, '018bcfe5-6800-7000-8000-000000000007', 'default', 'lost', NULL, 'mail', 0, '{"max_interruptions":0}', NULL, 1700000032000, NULL, 3, 8, 5, 2, 8, 0, 0, 2, 0, 1, 0, 3, 1700000032000, NULL, NULL, NULL, NULL, NULL, 1700000032000, 1700000034000, NULL, NULL, NULL, NULL, 'worker_lost', 'interrupted 1 times; the policy allows 0', NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (123, '018bcfe5-6800-7000-8000-000000000006', 'default', 'timed-out', NULL, 'mail', 0, '{"attempt_timeout_ms":1000}', NULL, 1700000032000, NULL, 3, 8, 5, 2, 8, 0, 0, 2, 0, 0, 0, 2, 1700000032000, NULL, NULL, NULL, NULL, NULL, 1700000032000, 1700000034000, NULL, NULL, NULL, NULL, 'attempt_timeout', 'the attempt ran longer than 1000 ms', NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (213, '018bcfe5-6800-7000-8000-000000000008', 'default', 'expired', NULL, 'mail', 0, NULL, NULL, 1700000032000, NULL, 3, 8, 5, 4, 10, 0, 0, 0, 0, 0, 0, 1, 1700000032000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000034000, NULL, 1700000033000, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (38, '018bcfe5-6800-7000-8000-000000000004', 'default', 'failed', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000002000, NULL, 3, 8, 5, 2, 8, 0, 2, 3, 2, 0, 0, 6, 1700000014000, NULL, NULL, NULL, NULL, NULL, 1700000002000, 1700000022000, NULL, NULL, NULL, NULL, 'smtp_down', 'no answer', NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (252, '018bcfe5-6800-7000-8000-000000000009', 'default', 'cancelled', NULL, 'mail', 0, NULL, NULL, 1700000034000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000034000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000034000, NULL, NULL, 'not wanted', 'operator_override', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (69, '018bcfe5-6800-7000-8000-00000000000b', 'default', 'completed-twice', NULL, 'mail', 0, NULL, NULL, 1700000034000, NULL, 3, 8, 5, 1, 7, 0, 0, 3, 0, 0, 1, 5, 1700000034000, NULL, NULL, NULL, NULL, NULL, 1700000034000, 1700000034000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (78, '018bcfe5-6800-7000-8000-00000000000a', 'default', 'cancelled-while-it-ran', NULL, 'mail', 0, NULL, NULL, 1700000034000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000034000, NULL, NULL, NULL, NULL, NULL, 1700000034000, 1700000034000, NULL, NULL, 'stop', 'application', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (164, '018bcfe5-6800-7000-8000-00000000000c', 'default', 'released', NULL, 'mail', 0, NULL, NULL, 1700000034000, NULL, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1700000034000, NULL, NULL, NULL, NULL, NULL, 1700000034000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (2, '018bcfe5-6800-7000-8000-00000000000d', 'default', 'put-off', NULL, 'mail', 0, NULL, NULL, 1700000034000, NULL, 0, 1, 2, 0, 1, 0, 0, 1, 0, 0, 0, 2, 1700000034000, NULL, NULL, NULL, NULL, NULL, 1700000034000, NULL, 1700003634000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000001', 'default', 'all-of-a', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000036000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000036000, NULL, NULL, NULL, NULL, NULL, 1700000036000, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (195, '018bcfe5-6800-7000-8000-00000000000e', 'default', 'revoked', NULL, 'mail', 0, NULL, NULL, 1700000034000, NULL, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 2, 1700000034000, NULL, NULL, NULL, NULL, NULL, 1700000034000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8000-00000000000f', 'default', 'interrupted', NULL, 'mail', 0, NULL, NULL, 1700000034000, NULL, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 2, 1700000036000, NULL, NULL, NULL, NULL, NULL, 1700000034000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000001', 'default', 'any-of-a', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000036000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000036000, NULL, NULL, NULL, NULL, NULL, 1700000036000, 1700000036000, NULL, NULL, NULL, NULL, 'boom', '', NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-8000-000000000010', 'default', 'replayed', NULL, 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 1, 3, 1700000036000, NULL, NULL, NULL, NULL, NULL, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000002', 'default', 'any-of-let-run-b', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000036000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000036000, NULL, NULL, NULL, NULL, NULL, 1700000036000, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8000-000000000011', 'default', 'held-and-let-go', NULL, 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000002', 'default', 'all-of-b', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000003', 'default', 'all-of-c', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8001-000000000004', 'default', 'all-of-d', '018bcfe5-6800-7000-80ff-000000000001', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000002', 'default', 'any-of-b', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000003', 'default', 'any-of-c', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (87, '018bcfe5-6800-7000-8002-000000000004', 'default', 'any-of-d', '018bcfe5-6800-7000-80ff-000000000002', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000001', 'default', 'any-of-let-run-a', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000003', 'default', 'any-of-let-run-c', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (118, '018bcfe5-6800-7000-8003-000000000004', 'default', 'any-of-let-run-d', '018bcfe5-6800-7000-80ff-000000000003', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-800b-000000000002', 'default', 'flow-only-b', '018bcfe5-6800-7000-80ff-00000000000b', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (208, '018bcfe5-6800-7000-8063-000000000001', 'default', 'by-hand-a', '018bcfe5-6800-7000-80ff-000000000063', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (29, '018bcfe5-6800-7000-8008-000000000002', 'default', 'reopened-flow-b', '018bcfe5-6800-7000-80ff-000000000008', 'mail', 0, NULL, NULL, 1700000036000, NULL, 3, 8, 5, 5, 11, 0, 0, 0, 0, 0, 0, 1, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (29, '018bcfe5-6800-7000-8008-000000000001', 'default', 'reopened-flow-a', '018bcfe5-6800-7000-80ff-000000000008', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 4, 0, 0, 0, 0, 2, 0, 0, 1, 3, 1700000036000, NULL, NULL, NULL, NULL, NULL, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (208, '018bcfe5-6800-7000-8063-000000000002', 'default', 'by-hand-b', '018bcfe5-6800-7000-80ff-000000000063', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (60, '018bcfe5-6800-7000-8009-000000000001', 'default', 'cancelled-flow-a', '018bcfe5-6800-7000-80ff-000000000009', 'mail', 0, NULL, NULL, 1700000036000, NULL, 4, 8, 6, 3, 9, 0, 0, 2, 0, 0, 0, 3, 1700000036000, NULL, NULL, NULL, NULL, NULL, 1700000036000, 1700000036000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (60, '018bcfe5-6800-7000-8009-000000000002', 'default', 'cancelled-flow-b', '018bcfe5-6800-7000-80ff-000000000009', 'mail', 0, NULL, NULL, 1700000036000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000036000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (95, '018bcfe5-6800-7000-800a-000000000001', 'default', 'cancelled-pending-a', '018bcfe5-6800-7000-80ff-00000000000a', 'mail', 0, NULL, NULL, 1700000036000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000036000, 'worker-1', 'worker-1/a', 3600000, 1700003636000, 1700000036000, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (95, '018bcfe5-6800-7000-800a-000000000002', 'default', 'cancelled-pending-b', '018bcfe5-6800-7000-80ff-00000000000a', 'mail', 0, NULL, NULL, 1700000036000, NULL, 4, 8, 6, 3, 9, 0, 0, 0, 0, 0, 0, 1, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000036000, NULL, NULL, 'enough', 'cancel_flow', NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (126, '018bcfe5-6800-7000-800b-000000000001', 'default', 'flow-only-a', '018bcfe5-6800-7000-80ff-00000000000b', 'mail', 0, NULL, NULL, 1700000036000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000036000, 'worker-1', 'worker-1/a', 3600000, 1700003636000, 1700000036000, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (132, '018bcfe5-6800-7000-8000-000000000012', 'default', 'paused', NULL, 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (56, '018bcfe5-6800-7000-8000-000000000013', 'default', 'resumed', NULL, 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-000000000015', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000036000, '{"order.id":"2"}', 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 1, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-000000000016', 'default', 'default', NULL, 'mail', 1, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-000000000017', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700086436000, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (239, '018bcfe5-6800-7000-8000-000000000019', 'default', 'held', NULL, 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (7, '018bcfe5-6800-7000-8000-00000000001c', 'default', 'active-with-an-expired-lease', NULL, 'mail', 0, NULL, NULL, 1700000036000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000036000, 'worker-1', 'worker-1/a', 1000, 1700000037000, 1700000036000, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000002', 'default', 'quorum-b', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000003', 'default', 'quorum-c', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000004', 'default', 'quorum-d', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (59, '018bcfe5-6800-7000-8000-00000000001a', 'default', 'waiting-for-its-retry', NULL, 'mail', 0, '{"retry":{"max_retries":2,"initial_delay_ms":1000,"jitter":0.0}}', NULL, 1700000036000, NULL, 0, 1, 3, 0, 1, 0, 0, 1, 1, 0, 0, 2, 1700000036000, NULL, NULL, NULL, NULL, NULL, 1700000036000, NULL, 1700003636000, NULL, NULL, NULL, 'smtp_down', '', NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (145, '018bcfe5-6800-7000-8004-000000000001', 'default', 'quorum-a', '018bcfe5-6800-7000-80ff-000000000004', 'mail', 0, NULL, NULL, 1700000036000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000036000, NULL, NULL, NULL, NULL, NULL, 1700000036000, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8006-000000000002', 'default', 'completed-flow-b', '018bcfe5-6800-7000-80ff-000000000006', 'mail', 0, NULL, NULL, 1700000036000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000036000, NULL, NULL, NULL, NULL, NULL, 1700000036000, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000001', 'default', 'quorum-let-run-a', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000036000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000036000, NULL, NULL, NULL, NULL, NULL, 1700000036000, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000002', 'default', 'quorum-let-run-b', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000036000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000036000, NULL, NULL, NULL, NULL, NULL, 1700000036000, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000004', 'default', 'quorum-let-run-d', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (176, '018bcfe5-6800-7000-8005-000000000003', 'default', 'quorum-let-run-c', '018bcfe5-6800-7000-80ff-000000000005', 'mail', 0, NULL, NULL, 1700000036000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000036000, 'worker-1', 'worker-1/a', 3600000, 1700003636000, 1700000036000, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (242, '018bcfe5-6800-7000-8007-000000000002', 'default', 'failed-flow-b', '018bcfe5-6800-7000-80ff-000000000007', 'mail', 0, NULL, NULL, 1700000036000, NULL, 3, 8, 5, 5, 11, 0, 0, 0, 0, 0, 0, 1, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (211, '018bcfe5-6800-7000-8006-000000000001', 'default', 'completed-flow-a', '018bcfe5-6800-7000-80ff-000000000006', 'mail', 0, NULL, NULL, 1700000036000, NULL, 3, 8, 5, 1, 7, 0, 0, 1, 0, 0, 0, 2, 1700000036000, NULL, NULL, NULL, NULL, NULL, 1700000036000, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (242, '018bcfe5-6800-7000-8007-000000000001', 'default', 'failed-flow-a', '018bcfe5-6800-7000-80ff-000000000007', 'mail', 0, NULL, NULL, 1700000036000, NULL, 3, 8, 5, 2, 8, 0, 0, 1, 0, 0, 0, 2, 1700000036000, NULL, NULL, NULL, NULL, NULL, 1700000036000, 1700000036000, NULL, NULL, NULL, NULL, 'boom', '', NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (63, '018bcfe5-6800-7000-8000-000000000014', 'tenant-a', 'of-a-tenant', NULL, 'mail', 0, NULL, NULL, 1700000036000, '{"team.name":"a"}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (86, '018bcfe5-6800-7000-8000-0000000003e7', 'default', 'default', NULL, 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (48, '018bcfe5-6800-7000-8000-000000000018', 'default', 'delayed', NULL, 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700003636000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (52, '018bcfe5-6800-7000-8000-00000000001b', 'default', 'active', NULL, 'print', 0, '{"attempt_timeout_ms":7200000}', NULL, 1700000036000, NULL, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, 1700000036000, 'worker-1', 'worker-1/a', 3600000, 1700003636000, 1700000036000, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 40, 'half way', 0);
INSERT INTO public.ff_exec_core VALUES (227, '018bcfe5-6800-7000-8000-00000000001d', 'default', 'delayed-and-due', NULL, 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000037000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.ff_exec_core VALUES (44, '018bcfe5-6800-7000-8000-00000000001e', 'default', 'past-its-deadline', NULL, 'mail', 0, NULL, NULL, 1700000036000, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1700000036000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000037000, NULL, NULL, NULL, NULL, NULL, NULL, 0);


--
-- Data for Name: ff_flow_cancel; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_flow_cancel VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', '["018bcfe5-6800-7000-8009-000000000001","018bcfe5-6800-7000-8009-000000000002"]');
INSERT INTO public.ff_flow_cancel VALUES (95, '018bcfe5-6800-7000-80ff-00000000000a', '["018bcfe5-6800-7000-800a-000000000002"]');
INSERT INTO public.ff_flow_cancel VALUES (126, '018bcfe5-6800-7000-80ff-00000000000b', '[]');


--
-- Data for Name: ff_flow_core; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_flow_core VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', 'default', 'all-of', 1700000036000, '{"order.id":"1"}', 1, 1, 4, 3, 3, 0, 0, NULL, 1700000036000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (29, '018bcfe5-6800-7000-80ff-000000000008', 'default', 'reopened-flow', 1700000036000, '{"order.id":"8"}', 1, 1, 2, 1, 1, 1, 2, NULL, 1700000036000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', 'default', 'any-of', 1700000036000, '{"order.id":"2"}', 1, 1, 4, 3, 3, 0, 0, NULL, 1700000036000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', 'default', 'any-of-let-run', 1700000036000, '{"order.id":"3"}', 1, 1, 4, 3, 3, 0, 0, NULL, 1700000036000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', 'default', 'cancelled-flow', 1700000036000, '{"order.id":"9"}', 4, 1, 2, 1, 0, 1, 2, NULL, 1700000036000, 1700000036000, 1700000036000, 'enough', 0, NULL);
INSERT INTO public.ff_flow_core VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', 'default', 'quorum', 1700000036000, '{"order.id":"4"}', 1, 1, 4, 3, 3, 0, 0, NULL, 1700000036000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (95, '018bcfe5-6800-7000-80ff-00000000000a', 'default', 'cancelled-pending', 1700000036000, '{"order.id":"10"}', 4, 1, 2, 1, 1, 1, 2, NULL, 1700000036000, 1700000036000, NULL, 'enough', 1, NULL);
INSERT INTO public.ff_flow_core VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', 'default', 'quorum-let-run', 1700000036000, '{"order.id":"5"}', 1, 1, 4, 3, 2, 0, 0, NULL, 1700000036000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (126, '018bcfe5-6800-7000-80ff-00000000000b', 'default', 'flow-only', 1700000036000, '{"order.id":"11"}', 4, 1, 2, 1, 2, 0, 2, NULL, 1700000036000, 1700000036000, NULL, 'enough', 2, NULL);
INSERT INTO public.ff_flow_core VALUES (211, '018bcfe5-6800-7000-80ff-000000000006', 'default', 'completed-flow', 1700000036000, '{"order.id":"6"}', 2, 1, 2, 1, 0, 0, 1, NULL, 1700000036000, 1700000036000, 1700000036000, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (242, '018bcfe5-6800-7000-80ff-000000000007', 'default', 'failed-flow', 1700000036000, '{"order.id":"7"}', 3, 1, 2, 1, 0, 1, 1, NULL, 1700000036000, 1700000036000, 1700000036000, NULL, NULL, NULL);
INSERT INTO public.ff_flow_core VALUES (208, '018bcfe5-6800-7000-80ff-000000000063', 'default', 'by-hand', 1700000036000, '{"team.name":"a"}', 0, 3, 2, 1, 2, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: ff_idempotency; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_idempotency VALUES (94, 'default', 'order-1', 194, '018bcfe5-6800-7000-8000-000000000002', '\xb1d8474ae82036fec13d013485a8c01f', 1700086402000);


--
-- Data for Name: ff_meta; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_meta VALUES ('store', 'postgres-b55a5f54a7b0-39f760');
INSERT INTO public.ff_meta VALUES ('purged', '766:765:2');


--
-- Data for Name: ff_payload; Type: TABLE DATA; Schema: public; Owner: -
--

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

INSERT INTO public.ff_ready VALUES ('default', 'released', 0, 0, 1700000034000, '018bcfe5-6800-7000-8000-00000000000c', 164);
INSERT INTO public.ff_ready VALUES ('default', 'revoked', 0, 0, 1700000034000, '018bcfe5-6800-7000-8000-00000000000e', 195);
INSERT INTO public.ff_ready VALUES ('default', 'interrupted', 0, 0, 1700000036000, '018bcfe5-6800-7000-8000-00000000000f', 118);
INSERT INTO public.ff_ready VALUES ('default', 'replayed', 0, 0, 1700000036000, '018bcfe5-6800-7000-8000-000000000010', 126);
INSERT INTO public.ff_ready VALUES ('default', 'held-and-let-go', 0, 0, 1700000036000, '018bcfe5-6800-7000-8000-000000000011', 211);
INSERT INTO public.ff_ready VALUES ('default', 'all-of-b', 0, 0, 1700000036000, '018bcfe5-6800-7000-8001-000000000002', 52);
INSERT INTO public.ff_ready VALUES ('default', 'all-of-c', 0, 0, 1700000036000, '018bcfe5-6800-7000-8001-000000000003', 52);
INSERT INTO public.ff_ready VALUES ('default', 'any-of-b', 0, 0, 1700000036000, '018bcfe5-6800-7000-8002-000000000002', 87);
INSERT INTO public.ff_ready VALUES ('default', 'any-of-c', 0, 0, 1700000036000, '018bcfe5-6800-7000-8002-000000000003', 87);
INSERT INTO public.ff_ready VALUES ('default', 'any-of-let-run-a', 0, 0, 1700000036000, '018bcfe5-6800-7000-8003-000000000001', 118);
INSERT INTO public.ff_ready VALUES ('default', 'any-of-let-run-c', 0, 0, 1700000036000, '018bcfe5-6800-7000-8003-000000000003', 118);
INSERT INTO public.ff_ready VALUES ('default', 'quorum-b', 0, 0, 1700000036000, '018bcfe5-6800-7000-8004-000000000002', 145);
INSERT INTO public.ff_ready VALUES ('default', 'quorum-c', 0, 0, 1700000036000, '018bcfe5-6800-7000-8004-000000000003', 145);
INSERT INTO public.ff_ready VALUES ('default', 'any-of-let-run-d', 0, 0, 1700000036000, '018bcfe5-6800-7000-8003-000000000004', 118);
INSERT INTO public.ff_ready VALUES ('default', 'quorum-let-run-d', 0, 0, 1700000036000, '018bcfe5-6800-7000-8005-000000000004', 176);
INSERT INTO public.ff_ready VALUES ('default', 'reopened-flow-a', 0, 0, 1700000036000, '018bcfe5-6800-7000-8008-000000000001', 29);
INSERT INTO public.ff_ready VALUES ('default', 'by-hand-a', 0, 0, 1700000036000, '018bcfe5-6800-7000-8063-000000000001', 208);
INSERT INTO public.ff_ready VALUES ('default', 'paused', 0, 0, 1700000036000, '018bcfe5-6800-7000-8000-000000000012', 132);
INSERT INTO public.ff_ready VALUES ('default', 'resumed', 0, 0, 1700000036000, '018bcfe5-6800-7000-8000-000000000013', 56);
INSERT INTO public.ff_ready VALUES ('tenant-a', 'of-a-tenant', 0, 0, 1700000036000, '018bcfe5-6800-7000-8000-000000000014', 63);
INSERT INTO public.ff_ready VALUES ('default', 'default', 0, -7, 1700000036000, '018bcfe5-6800-7000-8000-000000000015', 86);
INSERT INTO public.ff_ready VALUES ('default', 'default', 0, 0, 1700000036000, '018bcfe5-6800-7000-8000-0000000003e7', 86);
INSERT INTO public.ff_ready VALUES ('default', 'default', 1, 0, 1700000036000, '018bcfe5-6800-7000-8000-000000000016', 86);
INSERT INTO public.ff_ready VALUES ('default', 'default', 0, 0, 1700000036000, '018bcfe5-6800-7000-8000-000000000017', 86);
INSERT INTO public.ff_ready VALUES ('default', 'past-its-deadline', 0, 0, 1700000036000, '018bcfe5-6800-7000-8000-00000000001e', 44);


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
-- Data for Name: ff_schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_schema_version VALUES (1, 'dac1951ca687cd2f2f3bb69a207c1b5613439c568eccee22caa076cbb144f64d', '1970-01-01 00:00:00+00');
INSERT INTO public.ff_schema_version VALUES (2, 'c7dacc57cabf30da51568a0a7059db3c450001d14ae5345de7e535e1731edb74', '1970-01-01 00:00:00+00');
INSERT INTO public.ff_schema_version VALUES (3, '01b55d634c9384794f19818d97647d7e65a2653619b010ffcb736511d3652ded', '1970-01-01 00:00:00+00');


--
-- Data for Name: ff_step; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_step VALUES (52, '018bcfe5-6800-7000-8000-00000000001b', 'fetch', '\x6631', '\x7b227061676573223a20337d', 0, 1700000036000);
INSERT INTO public.ff_step VALUES (52, '018bcfe5-6800-7000-8000-00000000001b', 'render', '\x6632', '\x', 0, 1700000036000);


--
-- Data for Name: ff_tag; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_tag VALUES (194, '018bcfe5-6800-7000-8000-000000000002', 'order.id', '1', 1700000002000);
INSERT INTO public.ff_tag VALUES (194, '018bcfe5-6800-7000-8000-000000000002', 'team.name', 'ü
{}', 1700000002000);
INSERT INTO public.ff_tag VALUES (63, '018bcfe5-6800-7000-8000-000000000014', 'team.name', 'a', 1700000036000);
INSERT INTO public.ff_tag VALUES (86, '018bcfe5-6800-7000-8000-000000000015', 'order.id', '2', 1700000036000);


--
-- Data for Name: ff_worker; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_worker VALUES ('default', 'worker-1/a', 'worker-1', 'host-1', 4711, '["default","reports"]', '[]', '1.0', 1700000036000, 1700000036000, 1700003636000);
INSERT INTO public.ff_worker VALUES ('default', 'worker-1/b', 'worker-1', 'host-1', 4711, '["default","reports"]', '["gpu"]', '1.0', 1700000036000, 1700000036000, 1700003636000);


--
-- Name: ff_capability_set_capability_set_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ff_capability_set_capability_set_seq', 1, true);


--
-- Name: ff_event_event_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ff_event_event_id_seq', 89, true);


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


