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

INSERT INTO public.ff_batch VALUES ('\xb2aac757d2f31d15093ab69f8ebcff82', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\xc459678e344d40669e38cce647234721', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\x43a1af49b8c2e220871fcead74cfa96f', 1700000000000);
INSERT INTO public.ff_batch VALUES ('\xdd77a766603f84d3d02fca808c7158ba', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xa83604a86a5d1192a65cde80852eb77e', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x1c73f8382adac49dafc53ebd2cb27b5b', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xb6829bdab2e250db671ffd4e13045ada', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x790bae2e124498798f9b074f2eaad9c4', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x85d4f9a07d5bf77fdfb3dd5b05b1cf08', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x75240186b9455b360a12c536ada0792c', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x689573a1230e841824072b2f4ba99ae1', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\xc70fc818d8afc93a5dee45c584cca22e', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x54ae3aa1feb2af185bfb0c01db05a3dc', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x66ead671cede4613f1c622ecd318b819', 1700000002000);
INSERT INTO public.ff_batch VALUES ('\x390fcec86faa8cd78196f0bb2852704a', 1700000012000);
INSERT INTO public.ff_batch VALUES ('\x35014758a79eaeb62b1a04098be35d0e', 1700000012000);
INSERT INTO public.ff_batch VALUES ('\xcca86aeeccf84410807077be6b3cfa7a', 1700000012000);
INSERT INTO public.ff_batch VALUES ('\x262f548b3b4714f7574bdbdac3c39630', 1700000012000);
INSERT INTO public.ff_batch VALUES ('\x477f824ae04addd784aa2c55e7848714', 1700000022000);
INSERT INTO public.ff_batch VALUES ('\x3db28238e84aa1a3d71ed9678b3d0223', 1700000022000);
INSERT INTO public.ff_batch VALUES ('\x97fdd7e94dcf09b96bf768f58f253cbb', 1700000022000);
INSERT INTO public.ff_batch VALUES ('\xbe9f58309979980e24fa6119ce8565ca', 1700000022000);
INSERT INTO public.ff_batch VALUES ('\x62a62c2f28657fd9f4a3552d62dfadc4', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\x5a914a77bc5f44a928f77bdc6f07cfe5', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\xc6948d625cd9d7304f326f00c12e0c44', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\x91cd13b5ad6ee5c4b3a4c41ae7b33dad', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\xecd8cfcd81b3ef11bc030ffd17920d11', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\x3c6372da7da0066556a8cacad253a56b', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\x26ea6bd5f8268b971d475b10b19319f0', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\x999a762b724a4670e6f19cbff274648e', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\xedc450d489f08dd4b9e988a36a163f46', 1700000032000);
INSERT INTO public.ff_batch VALUES ('\x75cfa721bcb39b9f3cf94d27f03a0455', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xd9d096156027781a4ac6dd5617c0952b', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xe63ece041e179b045b54285403823f96', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xa48b01d7a07d406b9409615ce0c33de1', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xcd51a0b0478587cbaa3e51ec615ec304', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xdb58d4971c6b6da3189f75329fb100e1', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x1eabef7a627882c05537d07759ae8f7d', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x8d2991afb9eb296723f3e27da6682bb9', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x7688b9b647be876a1e029fb7ca6e3638', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xf691e536ef179df6185fb044e918e7f4', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x0e877aaf246f86f1bca6592f8098865c', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x4bb4e73a098bde3816193396f992e586', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xe7edcce54cce2743c4424ab31b4f8b0e', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x0fb124cfe2a29106b8e5c768db7b398a', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xbe973683e18a2f47bfce3a5b308376ad', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x8e2038c8c49c9fe93884c6052c8a4ec9', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x30a7c1f3ff1b48dfed9b0e36eb0e4d56', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x983c882901fd00d431e756ad82a0122c', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x0636430416301e468eb991cf56b5e42f', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x0b6828bc490d7ab221428a2a9cb3a4c7', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x91bbd4871e1eac80268c10c690830e31', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xb1f3d4826aa7c1fd6e35217a7f07004f', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x1c420f64c32aa78e4771d784088b9c2c', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xf55c61bb6e41399ea97ace88b3a47fc2', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xef5543a2066559e846b114f62e298c29', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\xc4f9d239f845e40c6b69ee37af6d5c81', 1700000034000);
INSERT INTO public.ff_batch VALUES ('\x6a7ad21f300efaf417d2ceb0f81fde92', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x92e0d704b6020a53341b3fcd66d1e466', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x9984e579afbc12019fae67c5599fee55', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xc87ffe22fda1fd7eb69c9bbe4b2bb79b', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x276cc19d225ce10b0683321ae54f5924', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xc50a8f159b3aba283d0c9a533f163c8c', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x14804940d579e7b7df39fbd973ad8d1d', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x22728d53374c1f3a631e6181b6e9ee69', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xdbe755488256d10989743dd27dcf2520', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xa49121dae1bb84250f71f9c1e5880196', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x9b624ae4e7d7f2d160528cf2c3d319cb', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x953e4e56682967d41a0626501efa075e', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xa0992cefe0de08e8ba33c122d9605952', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x7ecbbc2c444850352e2cca776f39165f', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x56cd671dcfc109aa4180b860b93b5581', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x6adbce98d9a06bf507c2d56fdab2add2', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x4526a448826272d1ecf5eb9c64274ded', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xae4467048185ec859ee20fb41b6a8a1a', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xdab9fefc728f6b630125ea857ecdf695', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x3e92105019e122f56affdae943c97c61', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x3154f95a235d84932091240fbb256c44', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x42d6f9ae7bebb1dbeb85e41d862e2d33', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xc8ff18bfb38e173e1b1f5e22ad755725', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x7716bb7b82871c1a7a00969e07e2faae', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xab69e25e1630dc768de668f8b582384f', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x2ecaee7667dc3a24c59edbd1f3053981', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x4b83960d376150a63eb5855b236061bb', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x340d80f622c57d050c7c1ea3df0ff200', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x94c02062375a13e4d46279bdb451017f', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xcff22a2cc05ac07d1c5adcaa402c2932', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x8fabde554afaaff49abcdaa06f689d19', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xa89492504833b83c5eb2c9b24236081d', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xb290c6bd8de0f598cfed9b9ecffe97dd', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xbe9b09029a1367cadcb3f49dc55c054b', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xc6a6cfe53cfc5f822105604c446ef7c9', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xbae8bf69f554a8363186f82a82ae470d', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xed1457d1ab58e88f38b97f06e265ce01', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xd65e987b746cc39cc5547b3e23a18218', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x046d10a7c049b36b013580045eb5099e', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xdb569b021caeb93908018c77b9d6ad4a', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x6bbfcc51b6cff4a2b10618b5eeb2114d', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x4bd4334ddca58121fe9e10a7019c1f0e', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x5265e45476d33f39b94d7c503e5178b9', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x95819cf13c69b99667dbc7d05bde496e', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x5b961c8ffc85b0057ef5d077aa1b6bc2', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xa0496b260da383732880ddf819caa7c8', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x7b65ac3f0c18767c74d6ecc0ba2eebca', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x327819b724cf3b12f7daa6f69654a833', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x885619253ac66ff74b1fee2771392a4f', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x210ce8893e976d7ab56edf21748d0b2b', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xeb1eb55d9af351ef867d1e70b3abcb2a', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x02430e24cdacd60b284b49298715a9a0', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xb3ddcf1e43bf260ab6e3639b2a28d11c', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x99ae86ff5381a3c75163839e23de7d62', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xfdf73b34e6b3a6871da40d055a235f4b', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xada3f3a2067bcbf4a38a95034a5fad37', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xe3997637cbae2afe91d8e4f8cfecda7e', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x1179bfb02d274889da9c6a6ea1f7ff79', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x30d927edabd833d450f164ecc49f7bf2', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x532bd01f4577eb5e01786039cfbe9738', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x404cd00902a9703426e1c40deeee024a', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xef5dfa4191101c12a95d27257ed646f1', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x5191f67dc7dc95ed1b7e9c2a4108e3fc', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xeb2874e918d9d943c1524b15011a19ed', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x62ad7aa8d901ab23aeb832b96e5bae99', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x49a40c078bbbbe10533defe9dcb13269', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x44d17746b9ee8c555d13677e92795c5f', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xd07a994f654d3dfddae2b2c4c4c66517', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x7d672eeeccd4aa51fbd8ebdc802187a5', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\xe980951ff448b024e0f6cf5c1553c78f', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x76970b3313caaa994b47576cef1037e0', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x75855119a017ed13e763bb7bdddaa0fc', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x23046fa7bdaa9ca17dde13f161cd4869', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x153ad3aa346ce0bc0f1281545b5ccaef', 1700000036000);
INSERT INTO public.ff_batch VALUES ('\x13cbecfbc8f72426ce4989381e77b4ea', 1700000036000);


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

INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f7-e15d-7000-8001-b448aad81586', '018bcfe5-6800-7000-8001-000000000002', '018bcfe5-6800-7000-8001-000000000004', 'right', 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f7-e15d-7000-8002-3631fae8ea30', '018bcfe5-6800-7000-8001-000000000003', '018bcfe5-6800-7000-8001-000000000004', NULL, 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f7-e15f-7000-8001-4ec1a9b9481a', '018bcfe5-6800-7000-8002-000000000002', '018bcfe5-6800-7000-8002-000000000004', 'right', 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f7-e15f-7000-8002-2b84f24d8522', '018bcfe5-6800-7000-8002-000000000003', '018bcfe5-6800-7000-8002-000000000004', NULL, 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f7-e161-7000-8000-58eb92bb7fed', '018bcfe5-6800-7000-8003-000000000001', '018bcfe5-6800-7000-8003-000000000004', 'left', 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f7-e161-7000-8002-661daa6c5fb8', '018bcfe5-6800-7000-8003-000000000003', '018bcfe5-6800-7000-8003-000000000004', NULL, 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f7-e162-7000-8001-46b4e26c6ade', '018bcfe5-6800-7000-8004-000000000002', '018bcfe5-6800-7000-8004-000000000004', 'right', 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f7-e162-7000-8002-577b2fc20481', '018bcfe5-6800-7000-8004-000000000003', '018bcfe5-6800-7000-8004-000000000004', NULL, 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f7-e164-7000-8002-ebdeaf45b2f6', '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-8005-000000000004', NULL, 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (52, '018bcfe5-6800-7000-80ff-000000000001', '01a1f1f7-e15d-7000-8000-38736b9d3d93', '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-8001-000000000004', 'left', 1700000036000, 1, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (87, '018bcfe5-6800-7000-80ff-000000000002', '01a1f1f7-e15f-7000-8000-8a845a4881b0', '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-8002-000000000004', 'left', 1700000036000, 2, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (118, '018bcfe5-6800-7000-80ff-000000000003', '01a1f1f7-e161-7000-8001-d0682b7bb2f7', '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-8003-000000000004', 'right', 1700000036000, 1, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (145, '018bcfe5-6800-7000-80ff-000000000004', '01a1f1f7-e162-7000-8000-eb3e464b20fb', '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-8004-000000000004', 'left', 1700000036000, 1, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f7-e164-7000-8000-9517193014d6', '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-8005-000000000004', 'left', 1700000036000, 1, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (176, '018bcfe5-6800-7000-80ff-000000000005', '01a1f1f7-e164-7000-8001-aff53da8676d', '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-8005-000000000004', 'right', 1700000036000, 1, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (95, '018bcfe5-6800-7000-80ff-00000000000a', '01a1f1f7-e181-7000-8000-9a71683d30bf', '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-800a-000000000002', 'before', 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (126, '018bcfe5-6800-7000-80ff-00000000000b', '01a1f1f7-e182-7000-8000-0ea1fbeb4ca0', '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-800b-000000000002', 'before', 1700000036000, 0, -1, NULL);
INSERT INTO public.ff_edge VALUES (211, '018bcfe5-6800-7000-80ff-000000000006', '01a1f1f7-e17c-7000-8000-e7344c2577c4', '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-8006-000000000002', 'before', 1700000036000, 1, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (242, '018bcfe5-6800-7000-80ff-000000000007', '01a1f1f7-e17e-7000-8000-c61162f3beea', '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-8007-000000000002', 'before', 1700000036000, 2, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (29, '018bcfe5-6800-7000-80ff-000000000008', '01a1f1f7-e17f-7000-8000-bc943d5af256', '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-8008-000000000002', 'before', 1700000036000, 2, 0, 1700000036000);
INSERT INTO public.ff_edge VALUES (60, '018bcfe5-6800-7000-80ff-000000000009', '01a1f1f7-e180-7000-8000-834e081d8534', '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-8009-000000000002', 'before', 1700000036000, 3, 0, 1700000036000);
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

INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (3, '767', 0, 'acquired', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (4, '768', 1, 'completed', 'default', 194, '018bcfe5-6800-7000-8000-000000000002', NULL, 2, NULL, 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (5, '770', 0, 'acquired', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (6, '771', 1, 'completed', 'default', 235, '018bcfe5-6800-7000-8000-000000000003', NULL, 2, NULL, 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (7, '773', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (8, '774', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700000003000}', 1700000002000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (9, '777', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 3, '{"attempt_index":1,"lease_epoch":2,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000012000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (10, '778', 0, 'retry_scheduled', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 4, '{"code":"smtp_down","next_attempt_index":2,"delay_until_ms":1700000014000}', 1700000012000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (11, '781', 0, 'acquired', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 5, '{"attempt_index":2,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"retry"}', 1700000022000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (12, '782', 1, 'failed', 'default', 38, '018bcfe5-6800-7000-8000-000000000004', NULL, 6, '{"code":"smtp_down"}', 1700000022000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (13, '785', 0, 'acquired', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000032000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (14, '786', 1, 'failed', 'default', 160, '018bcfe5-6800-7000-8000-000000000005', NULL, 2, '{"code":"bad_address"}', 1700000032000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (15, '788', 0, 'acquired', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000032000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (16, '790', 0, 'acquired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000032000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (17, '792', 0, 'expired', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 2, NULL, 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (18, '792', 1, 'failed', 'default', 163, '018bcfe5-6800-7000-8000-000000000007', NULL, 3, '{"code":"worker_lost"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (19, '793', 1, 'failed', 'default', 123, '018bcfe5-6800-7000-8000-000000000006', NULL, 2, '{"code":"attempt_timeout"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (20, '794', 1, 'expired', 'default', 213, '018bcfe5-6800-7000-8000-000000000008', NULL, 1, NULL, 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (21, '797', 1, 'cancelled', 'default', 252, '018bcfe5-6800-7000-8000-000000000009', NULL, 1, '{"reason":"not wanted","source":"operator_override"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (22, '799', 0, 'acquired', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (23, '800', 0, 'revoked', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 2, '{"reason":"stop"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (24, '800', 1, 'cancelled', 'default', 78, '018bcfe5-6800-7000-8000-00000000000a', NULL, 3, '{"reason":"stop","source":"application"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (25, '802', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (26, '803', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 2, NULL, 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (27, '804', 2, 'replayed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (28, '805', 0, 'acquired', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 4, '{"attempt_index":0,"lease_epoch":3,"worker_instance_id":"worker-1/a","claim_type":"replay"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (29, '806', 1, 'completed', 'default', 69, '018bcfe5-6800-7000-8000-00000000000b', NULL, 5, NULL, 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (30, '808', 0, 'acquired', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (31, '809', 0, 'released', 'default', 164, '018bcfe5-6800-7000-8000-00000000000c', NULL, 2, NULL, 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (32, '811', 0, 'acquired', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (33, '812', 0, 'released', 'default', 2, '018bcfe5-6800-7000-8000-00000000000d', NULL, 2, '{"delay_until_ms":1700003634000}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (34, '814', 0, 'acquired', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (35, '815', 0, 'revoked', 'default', 195, '018bcfe5-6800-7000-8000-00000000000e', NULL, 2, '{"reason":"drain"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (36, '817', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000034000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (37, '818', 0, 'expired', 'default', 118, '018bcfe5-6800-7000-8000-00000000000f', NULL, 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (38, '821', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (39, '822', 1, 'completed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (40, '823', 2, 'replayed', 'default', 126, '018bcfe5-6800-7000-8000-000000000010', NULL, 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"success","previous_attempt":0}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (41, '825', 2, 'held', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 1, '{"reason":"look first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (42, '826', 2, 'unheld', 'default', 211, '018bcfe5-6800-7000-8000-000000000011', NULL, 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (43, '832', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (44, '833', 1, 'completed', 'default', 52, '018bcfe5-6800-7000-8001-000000000001', '018bcfe5-6800-7000-80ff-000000000001', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (45, '834', 0, 'acquired', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (46, '835', 1, 'failed', 'default', 87, '018bcfe5-6800-7000-8002-000000000001', '018bcfe5-6800-7000-80ff-000000000002', 2, '{"code":"boom"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (47, '836', 0, 'acquired', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (48, '837', 1, 'completed', 'default', 118, '018bcfe5-6800-7000-8003-000000000002', '018bcfe5-6800-7000-80ff-000000000003', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (49, '838', 0, 'acquired', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (50, '839', 1, 'completed', 'default', 145, '018bcfe5-6800-7000-8004-000000000001', '018bcfe5-6800-7000-80ff-000000000004', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (51, '840', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (52, '841', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000001', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (53, '842', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (54, '843', 1, 'completed', 'default', 176, '018bcfe5-6800-7000-8005-000000000002', '018bcfe5-6800-7000-80ff-000000000005', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (55, '844', 0, 'acquired', 'default', 176, '018bcfe5-6800-7000-8005-000000000003', '018bcfe5-6800-7000-80ff-000000000005', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (56, '851', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (58, '853', 0, 'acquired', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (61, '855', 0, 'acquired', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (62, '856', 1, 'failed', 'default', 242, '018bcfe5-6800-7000-8007-000000000001', '018bcfe5-6800-7000-80ff-000000000007', 2, '{"code":"boom"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (63, '856', 1, 'skipped', 'default', 242, '018bcfe5-6800-7000-8007-000000000002', '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (64, '856', 1, 'flow_failed', 'default', 242, NULL, '018bcfe5-6800-7000-80ff-000000000007', 1, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (65, '857', 0, 'acquired', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (71, '860', 0, 'acquired', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (72, '861', 2, 'flow_cancel_requested', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-000000000009","cancellation_policy":"cancel_all","reason":"enough","member_count":2}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (73, '861', 1, 'flow_cancelled', 'default', 60, NULL, '018bcfe5-6800-7000-80ff-000000000009', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (74, '861', 0, 'revoked', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 2, '{"reason":"enough"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (75, '861', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000001', '018bcfe5-6800-7000-80ff-000000000009', 3, '{"reason":"enough","source":"cancel_flow"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (76, '861', 1, 'cancelled', 'default', 60, '018bcfe5-6800-7000-8009-000000000002', '018bcfe5-6800-7000-80ff-000000000009', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (77, '862', 0, 'acquired', 'default', 95, '018bcfe5-6800-7000-800a-000000000001', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (78, '863', 2, 'flow_cancel_requested', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000a","cancellation_policy":"cancel_pending","reason":"enough","member_count":1}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (79, '863', 1, 'flow_cancelled', 'default', 95, NULL, '018bcfe5-6800-7000-80ff-00000000000a', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (80, '863', 1, 'cancelled', 'default', 95, '018bcfe5-6800-7000-800a-000000000002', '018bcfe5-6800-7000-80ff-00000000000a', 1, '{"reason":"enough","source":"cancel_flow"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (81, '864', 0, 'acquired', 'default', 126, '018bcfe5-6800-7000-800b-000000000001', '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (82, '865', 2, 'flow_cancel_requested', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 1, '{"flow_id":"018bcfe5-6800-7000-80ff-00000000000b","cancellation_policy":"flow_only","reason":"enough","member_count":0}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (83, '865', 1, 'flow_cancelled', 'default', 126, NULL, '018bcfe5-6800-7000-80ff-00000000000b', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (84, '876', 2, 'priority_changed', 'default', 86, '018bcfe5-6800-7000-8000-000000000015', NULL, 1, '{"old_priority":0,"new_priority":7}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (85, '882', 2, 'held', 'default', 239, '018bcfe5-6800-7000-8000-000000000019', NULL, 1, '{"reason":"ask first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (86, '884', 0, 'acquired', 'default', 59, '018bcfe5-6800-7000-8000-00000000001a', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (88, '887', 0, 'acquired', 'default', 52, '018bcfe5-6800-7000-8000-00000000001b', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (89, '890', 0, 'acquired', 'default', 7, '018bcfe5-6800-7000-8000-00000000001c', NULL, 1, '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"worker-1/a","claim_type":"first"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (57, '852', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000001', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (59, '854', 1, 'completed', 'default', 211, '018bcfe5-6800-7000-8006-000000000002', '018bcfe5-6800-7000-80ff-000000000006', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (60, '854', 1, 'flow_completed', 'default', 211, NULL, '018bcfe5-6800-7000-80ff-000000000006', 1, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (66, '858', 1, 'failed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 2, '{"code":"boom"}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (67, '858', 1, 'skipped', 'default', 29, '018bcfe5-6800-7000-8008-000000000002', '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (68, '858', 1, 'flow_failed', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 1, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (69, '859', 2, 'flow_reopened', 'default', 29, NULL, '018bcfe5-6800-7000-80ff-000000000008', 2, NULL, 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (70, '859', 2, 'replayed', 'default', 29, '018bcfe5-6800-7000-8008-000000000001', '018bcfe5-6800-7000-80ff-000000000008', 3, '{"branch":"normal","groups_reset":0,"previous_outcome":"failed","previous_attempt":0}', 1700000036000);
INSERT INTO public.ff_event OVERRIDING SYSTEM VALUE VALUES (87, '885', 0, 'retry_scheduled', 'default', 59, '018bcfe5-6800-7000-8000-00000000001a', NULL, 2, '{"code":"smtp_down","next_attempt_index":1,"delay_until_ms":1700003636000}', 1700000036000);


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

INSERT INTO public.ff_meta VALUES ('store', 'postgres-e9fe0dca204e-d0fb7c');
INSERT INTO public.ff_meta VALUES ('purged', '764:763:2');


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


--
-- Data for Name: ff_tag; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ff_tag VALUES (194, '018bcfe5-6800-7000-8000-000000000002', 'order.id', '1', 1700000002000);
INSERT INTO public.ff_tag VALUES (194, '018bcfe5-6800-7000-8000-000000000002', 'team.name', 'ü
{}', 1700000002000);
INSERT INTO public.ff_tag VALUES (63, '018bcfe5-6800-7000-8000-000000000014', 'team.name', 'a', 1700000036000);
INSERT INTO public.ff_tag VALUES (86, '018bcfe5-6800-7000-8000-000000000015', 'order.id', '2', 1700000036000);


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
-- Name: ff_tag ff_tag_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ff_tag
    ADD CONSTRAINT ff_tag_pkey PRIMARY KEY (partition_key, execution_id, key);


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


