#include "server/lsp/ahead_work.h"

#include <utility>

namespace tenon::server {

void AheadWork::Read(CompletionRequest request, CompletionScheduler::Client& scheduler) {
  const ClientDocument* document = documents_.Find(request.document);
  if (document == nullptr || document->known.Find(request)) return;
  request.time_budget.reset();
  scheduler.WorkAhead({AheadTask::Kind::kRead, std::move(request)});
}

void AheadWork::CompleteAfter(const std::string& uri, const CompletionRequest& request,
                              const CompletionAnswer& answer,
                              CompletionScheduler::Client& scheduler) {
  const ClientDocument* document = documents_.Find(uri);
  if (document == nullptr || answer.cut_by_time || answer.items.empty()) return;
  const CompletionItem& item = answer.items.front();
  CompletionRequest next = request;
  next.document = uri;
  next.unwanted.clear();
  next.time_budget.reset();
  std::string text = *request.text;
  next.text = std::move(text.replace(item.range_begin_bytes,
                                     item.range_end_bytes - item.range_begin_bytes, item.text));
  next.offset_bytes = item.range_begin_bytes + item.text.size();
  if (item.missing_sign) next = WithSign(std::move(next), *item.missing_sign);
  if (document->known.Find(next)) return;
  scheduler.WorkAhead({AheadTask::Kind::kComplete, std::move(next),
                       [this, uri, alive = std::weak_ptr<char>(alive_)](
                           const CompletionRequest& asked, const CompletionAnswer& ahead) {
                         if (!alive.expired()) (void)Learn(uri, asked, ahead);
                       }});
}

CompletionScheduler::Learn AheadWork::OnWhole(const std::string& uri, CompletionAnswer known,
                                              CompletionScheduler::Client& scheduler,
                                              IsWithheld is_withheld) {
  return [this, uri, known = std::move(known), &scheduler, is_withheld = std::move(is_withheld),
          alive = std::weak_ptr<char>(alive_)](const CompletionRequest& request,
                                               const CompletionAnswer& answer) {
    if (alive.expired()) return;
    const CompletionRequest all = AskForAll(request);
    CompletionAnswer joined = Joined(known, answer);
    if (!joined.items.empty() && is_withheld(all, joined)) {
      if (ClientDocument* document = documents_.Find(uri)) document->withheld.Add(all, joined);
    } else {
      CompleteAfter(uri, all, Learn(uri, all, std::move(joined)), scheduler);
    }
  };
}

CompletionAnswer AheadWork::Learn(const std::string& uri, const CompletionRequest& request,
                                  CompletionAnswer answer) {
  ClientDocument* document = documents_.Find(uri);
  if (document == nullptr) return answer;
  document->known.Add(request, answer);
  return answer;
}

}  // namespace tenon::server
