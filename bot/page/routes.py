"""Our own routes, before Chainlit's: feedback, which Chainlit would take from anybody.

Chainlit 2.12 does not ask who sends feedback (its issue 2975), and tells the browser the text of
any error. These two check that the answer is the sender's.
"""

from __future__ import annotations

from typing import Annotated

from chainlit.auth import get_current_user
from chainlit.types import DeleteFeedbackRequest, UpdateFeedbackRequest
from chainlit.user import PersistedUser, User
from fastapi import Depends, FastAPI, Header, HTTPException
from fastapi.responses import JSONResponse

from bot.history.conversations import History
from bot.page.words import page_language, words_for
from kg.errors import KgError

__all__ = ["add_routes"]

Languages = Annotated[str | None, Header(alias="accept-language")]
CurrentUser = Annotated[User | PersistedUser | None, Depends(get_current_user)]


def add_routes(app: FastAPI, history: History) -> None:
    """Put the feedback routes before those of Chainlit, which would answer first otherwise."""

    async def update(
        payload: UpdateFeedbackRequest, user: CurrentUser, accepted: Languages = None
    ) -> JSONResponse:
        feedback = payload.feedback
        try:
            stored = await history.call(
                history.set_feedback,
                feedback.forId,
                _identifier(user),
                feedback.value,
                feedback.comment,
            )
        except KgError as error:
            raise HTTPException(404, error.message(page_language(accepted))) from error
        return JSONResponse({"success": True, "feedbackId": stored})

    async def delete(
        payload: DeleteFeedbackRequest, user: CurrentUser, accepted: Languages = None
    ) -> JSONResponse:
        if not await history.call(history.delete_feedback, payload.feedbackId, _identifier(user)):
            raise HTTPException(404, words_for(page_language(accepted))["no_feedback"])
        return JSONResponse({"success": True})

    for method, endpoint in (("PUT", update), ("DELETE", delete)):
        app.add_api_route("/feedback", endpoint, methods=[method])
        app.router.routes.insert(0, app.router.routes.pop())


def _identifier(user: User | PersistedUser | None) -> str:
    if user is None:
        raise HTTPException(401, "Unauthorized")
    return user.identifier
