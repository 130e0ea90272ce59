"""Sessions of pytest-lsp with the server: each answer is read into lsprotocol's types and checked against what the client can.

The client has the capabilities of real editors. The server has the small model.
"""

import asyncio
import os

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client

# One daemon serves all clients, one after the other, and ends soon after the last.
COMMAND = [os.environ["TENON"], "--stdio", "--idle-minutes", "0.2", "--model", "smollm2-135m-fim"]
TEXT = "def area(width, height):\n    return width * height\n\n\nprint(area(2, ))\n"
CURSOR = types.Position(4, 14)
URI = "file:///work/area.py"


def make_client():
    """A client that takes registrations, which pytest-lsp's own refuses."""
    made = make_test_lsp_client()
    made.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda *_: None)
    return made


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=COMMAND, client_factory=make_client),
    params=["visual-studio-code", "neovim", "emacs"],
    scope="module",
)
async def client(request, lsp_client: LanguageClient):
    capabilities = client_capabilities(request.param)
    capabilities.text_document.inline_completion = types.InlineCompletionClientCapabilities()
    result = await lsp_client.initialize_session(types.InitializeParams(
        capabilities=capabilities, initialization_options={"completion.invokedBudgetMs": 600000, "maxTokens": 8}))
    assert result.server_info.name == "tenon"
    lsp_client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(URI, "python", 1, TEXT)))
    yield
    lsp_client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(URI)))
    await lsp_client.shutdown_session()


def change(client, version, where, text):
    client.text_document_did_change(types.DidChangeTextDocumentParams(
        types.VersionedTextDocumentIdentifier(version, URI),
        [types.TextDocumentContentChangePartial(range=where, text=text)]))


async def inline(client, at=CURSOR):
    return await client.text_document_inline_completion_async(types.InlineCompletionParams(
        types.InlineCompletionContext(types.InlineCompletionTriggerKind.Invoked), types.TextDocumentIdentifier(URI), at))


async def suggestion(client):
    """The text of a suggestion, once the model is loaded: until then there is none."""
    async with asyncio.timeout(120):
        while not (result := await inline(client)):
            await asyncio.sleep(0.05)
    items = result.items if isinstance(result, types.InlineCompletionList) else result
    return items[0].insert_text


async def test_ghost_text_fits_between_both_sides_of_the_cursor(client):
    text = await suggestion(client)
    compile(TEXT.replace("2, )", f"2, {text})"), URI, "exec")


async def test_a_list_has_items_that_the_client_can_read(client):
    await suggestion(client)
    result = await client.text_document_completion_async(types.CompletionParams(types.TextDocumentIdentifier(URI), CURSOR))
    assert result.items
    for item in result.items:
        where = item.text_edit or result.item_defaults.edit_range
        if not isinstance(where, types.Range):
            where = where.range if isinstance(where, types.TextEdit) else where.replace
        assert where.start.line == where.end.line == CURSOR.line


async def test_an_edit_changes_what_is_asked_about(client):
    await suggestion(client)
    change(client, 2, types.Range(types.Position(4, 0), types.Position(4, 16)), "(")
    answer = await client.text_document_completion_async(
        types.CompletionParams(types.TextDocumentIdentifier(URI), types.Position(4, 1)))
    assert isinstance(answer, types.CompletionList)
    change(client, 3, types.Range(types.Position(4, 0), types.Position(4, 1)), "print(area(2, ))")
    assert await suggestion(client)


async def test_requests_at_once_are_each_answered(client):
    await suggestion(client)
    answers = await asyncio.gather(*(inline(client, types.Position(4, column)) for column in range(8, 15)), return_exceptions=True)
    assert len(answers) == 7
    assert all(answer is None or isinstance(answer, (types.InlineCompletionList, JsonRpcException)) for answer in answers)


async def test_an_unknown_method_is_an_error_and_ends_nothing(client):
    with pytest.raises(JsonRpcException):
        await client.protocol.send_request_async("tenon/none", {})
    assert await suggestion(client)
