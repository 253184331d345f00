"""What a worker gets with a first lease is written out for speed, and must stay what the rules say."""

from flowfabric.domain.plain import CREATED, LEASED, SAMPLE_CLAIM, SAMPLE_CREATION, first_claim


def test_the_answer_to_a_first_claim_is_that_of_the_rules():
    answer = first_claim(
        SAMPLE_CLAIM,
        "sample",
        CREATED.after.execution_id,
        kind=SAMPLE_CREATION.kind,
        namespace=SAMPLE_CREATION.namespace,
        lane=SAMPLE_CREATION.lane,
        epoch=LEASED.after.lease_epoch,
        payload=SAMPLE_CREATION.payload,
        tags=SAMPLE_CREATION.tags,
        now_ms=0,
    )

    assert [answer] == LEASED.answer
