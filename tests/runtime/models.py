"""Types that tasks take and return."""

import enum
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple, TypedDict
from uuid import UUID

import msgspec
from pydantic import BaseModel, ConfigDict, Field


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


@dataclass
class Parcel:
    weight: Decimal
    size: Size


class Address(msgspec.Struct, rename="camel"):
    street_name: str
    is_home: bool = True


class Pair(msgspec.Struct, array_like=True):
    left: int
    right: Address


class Point(NamedTuple):
    x: int
    y: int


class Labels(TypedDict):
    first: str


class Order(BaseModel):
    model_config = ConfigDict(strict=True)

    order_id: int = Field(alias="orderId")
    placed_at: datetime
    price: Decimal
    key: UUID
    parcels: list[Parcel] = []
