// A visitor of a variant that is made of one lambda for each case.
//
// Example: std::visit(Overloaded{[](const GapTask& gap) { … }, [](const auto& other) { … }}, task).
// Cost: none. Thread rule: that of the lambdas.
#pragma once

namespace tenon::server {

template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace tenon::server
