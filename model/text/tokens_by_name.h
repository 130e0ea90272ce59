// A vocabulary by its names, as a tokenizer is read with. Example: {"Ġthe" -> 279}.
//
// The names are views: their text outlives the table.
// Cost: one flat table; a lookup touches it and the name. Thread rule: a value.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <functional>
#include <string_view>

#include "tenon/token_id.h"

namespace tenon::model {

using TokensByName =
    boost::unordered_flat_map<std::string_view, TokenId, std::hash<std::string_view>>;

}  // namespace tenon::model
