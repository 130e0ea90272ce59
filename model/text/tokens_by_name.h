// A vocabulary by its names, and other tables of a tokenizer that hold an entry a token or merge.
//
// Flat tables: with 150,000 tokens and merges a start reads a tokenizer in half the time of nodes.
// Thread rule: a value.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <functional>
#include <string_view>

#include "tenon/token_id.h"

namespace tenon::model {

using TokensByName =
    boost::unordered_flat_map<std::string_view, TokenId, std::hash<std::string_view>>;

}  // namespace tenon::model
