"""The MTurk Requester API as botocore describes it: operations, shapes and their limits."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from botocore.model import OperationModel, ServiceModel

TARGET_PREFIX = "MTurkRequesterServiceV20170117."
SIGNING_NAME = "mturk-requester"


@lru_cache(maxsize=1)
def load_model() -> ServiceModel:
    """Read from the package alone: a file in somebody's home must not change the API."""
    from botocore.loaders import Loader  # takes a tenth of a second, and only requesters need it
    from botocore.model import ServiceModel

    loader = Loader(
        include_default_search_paths=False, extra_search_paths=[Loader.BUILTIN_DATA_PATH]
    )
    return ServiceModel(loader.load_service_model("mturk", "service-2"), "mturk")


@lru_cache(maxsize=64)
def get_operation(name: str) -> OperationModel | None:
    model = load_model()
    return model.operation_model(name) if name in model.operation_names else None
