#include "tests/server/message_mutator.h"

#include <utility>

#include "protocol/framing.h"
#include "protocol/json_rpc.h"

namespace tenon::server {

using nlohmann::json;

namespace {

const char* const kUris[] = {
    "test:///a.py", "test:///b.json", "untitled:Untitled-1", "test:///c.recipe", "x", ""};
const char* const kLanguages[] = {"python", "json", "plaintext", ""};
const char* const kTexts[] = {"",       "x = ",         "a\r\nb\rc\n", "é€😀𝒳\n",       "SLOW",
                              "LINES(", "NOTHING here", "CUT\n",       "BUDGET TAIL)", "\t \n\n"};
const char* const kKeys[] = {"id",       "method", "params",         "textDocument", "uri",
                             "position", "range",  "contentChanges", "text",         "context"};

// All values of a message, the message itself left out.
void Collect(json& value, std::vector<json*>& out) {
  for (json& child : value) {
    out.push_back(&child);
    if (child.is_structured()) Collect(child, out);
  }
}

json Document(const char* uri) { return {{"uri", uri}}; }

}  // namespace

json MessageMutator::Position() { return {{"line", Below(6)}, {"character", Below(9)}}; }

json MessageMutator::Range() { return {{"start", Position()}, {"end", Position()}}; }

json MessageMutator::Id() {
  if (Below(8) == 0) return "s" + std::to_string(next_id_++);
  return next_id_++;
}

json MessageMutator::Message() {
  const char* const uri = OneOf(kUris);
  const auto request = [this](const char* method, json params) -> json {
    return {{"jsonrpc", "2.0"}, {"id", Id()}, {"method", method}, {"params", std::move(params)}};
  };
  const auto notification = [](const char* method, json params) -> json {
    return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
  };
  switch (Below(20)) {
    case 0:
    case 1:
      return notification("textDocument/didOpen", {{"textDocument",
                                                    {{"uri", uri},
                                                     {"languageId", OneOf(kLanguages)},
                                                     {"version", Below(9)},
                                                     {"text", OneOf(kTexts)}}}});
    case 2:
    case 3:
    case 4:
    case 5: {
      json changes = json::array();
      for (uint64_t i = Below(4); i > 0; --i) {
        changes.push_back({{"text", OneOf(kTexts)}});
        if (Below(5) != 0) changes.back()["range"] = Range();
      }
      return notification("textDocument/didChange",
                          {{"textDocument", Document(uri)}, {"contentChanges", changes}});
    }
    case 6:
      return notification("textDocument/didClose", {{"textDocument", Document(uri)}});
    case 7:
      return notification("$/cancelRequest", {{"id", next_id_ - 1}});
    case 8:
      return notification("workspace/didChangeConfiguration",
                          {{"settings", {{"maxTokens", Below(99)}, {"scope", "line"}}}});
    case 9:
      return notification("$/setTrace", {{"value", Below(2) == 0 ? "verbose" : "off"}});
    case 10:
      return notification(
          "notebookDocument/didOpen",
          {{"notebookDocument", {{"uri", "n"}, {"cells", {{{"kind", 2}, {"document", uri}}}}}},
           {"cellTextDocuments",
            {{{"uri", uri}, {"languageId", "python"}, {"version", 1}, {"text", "x"}}}}});
    case 11:
      return request("tenon/status", json::object());
    case 12:
      return request("tenon/text", {{"textDocument", Document(uri)}});
    case 13:
      return request("no/such/method", json::array({Below(3)}));
    case 14:
      if (Below(40) == 0) return request("shutdown", nullptr);
      if (Below(40) == 0) return notification("exit", nullptr);
      return request("initialize", {{"capabilities", json::object()}});
    case 15:
      return request("completionItem/resolve", {{"label", "x"}, {"data", {{"id", Below(5)}}}});
    case 16:
    case 17:
      return request("textDocument/completion",
                     {{"textDocument", Document(uri)}, {"position", Position()}});
    default: {
      json params = {{"textDocument", Document(uri)},
                     {"position", Position()},
                     {"context", {{"triggerKind", 1 + Below(2)}}}};
      if (Below(4) == 0) {
        params["context"]["selectedCompletionInfo"] = {{"range", Range()}, {"text", OneOf(kTexts)}};
      }
      return request("textDocument/inlineCompletion", std::move(params));
    }
  }
}

json MessageMutator::Value(int depth) {
  switch (Below(14)) {
    case 0:
      return nullptr;
    case 1:
      return -1;
    case 2:
      return UINT64_MAX;
    case 3:
      return INT64_MIN;
    case 4:
      return 1.5e300;
    case 5:
      return Below(2) == 0;
    case 6:
      return OneOf(kTexts);
    case 7:
      return OneOf(kUris);
    case 8:
      return json::object();
    case 9: {
      json deep = "x";
      for (uint64_t i = Below(400); i > 0; --i) deep = json::array({std::move(deep)});
      return deep;
    }
    case 10:
      return std::string(Below(3000), 'x');
    case 11:
      return Position();
    default: {
      json list = json::array();
      for (uint64_t i = Below(4); depth < 3 && i > 0; --i) list.push_back(Value(depth + 1));
      return list;
    }
  }
}

void MessageMutator::MutateValues(json& message) {
  for (uint64_t i = 1 + Below(3); i > 0; --i) {
    std::vector<json*> values;
    Collect(message, values);
    if (values.empty()) return;
    json& value = *OneOf(values);
    if (value.is_object() && !value.empty() && Below(2) == 0) {
      if (Below(2) == 0)
        value.erase(value.begin());
      else
        value[OneOf(kKeys)] = Value(0);
    } else if (value.is_array() && !value.empty() && Below(2) == 0) {
      value.push_back(value[Below(value.size())]);
    } else {
      value = Value(0);
    }
  }
}

std::string MessageMutator::Framed(std::string body) {
  const uint64_t kind = Below(24);
  if (kind == 0 && !body.empty()) body.erase(Below(body.size()), 1 + Below(20));
  if (kind == 1) body.insert(Below(body.size() + 1), 1, static_cast<char>(Below(256)));
  if (kind == 2 && !body.empty()) body[Below(body.size())] = static_cast<char>(Below(256));
  std::string bytes = protocol::EncodeFrame(body);
  if (kind == 3) {
    const uint64_t wrong = body.size() + Below(20) - std::min<uint64_t>(body.size(), 10);
    bytes = "Content-Length: " + std::to_string(wrong) + "\r\n\r\n" + body;
  }
  if (kind == 4) bytes[Below(std::min<size_t>(bytes.size(), 24))] = static_cast<char>(Below(256));
  return bytes;
}

std::string MessageMutator::Next() {
  json message = Message();
  if (Below(3) == 0) MutateValues(message);
  return Framed(protocol::Dump(message));
}

std::string MessageMutator::AnswerTo(const json& request) {
  json answer = {{"jsonrpc", "2.0"}, {"id", request["id"]}, {"result", nullptr}};
  if (Below(2) == 0) answer["result"] = Value(0);
  if (Below(8) == 0) MutateValues(answer);
  return Framed(protocol::Dump(answer));
}

}  // namespace tenon::server
