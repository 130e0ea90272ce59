#!/usr/bin/env python3
"""include_rule.py finds each kind of wrong edge in a made-up tree, and nothing in a right one."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import include_rule


class IncludeRule(unittest.TestCase):
    def edges(self, files):
        """Wrong edges of a tree made of {path: text}."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            return include_rule.wrong_edges(root)

    def test_right_edges_pass(self):
        self.assertEqual(
            self.edges({
                "constraint/automata/automata.h": "#include <vector>\n",
                "constraint/lex/lex.h": '#include "constraint/lex/lexer.h"\n',
                "constraint/lex/lexer.h": '#include "constraint/automata/automata.h"\n',
                "include/tenon/gap.h": '#include <vector>\n#include "tenon/gap.h"\n',
                "include/tenon/token_id.h": "#include <cstdint>\n",
                "constraint/library/gap.cpp": '#include "tenon/gap.h"\n',
                "constraint/mask/token_set.h": '#include "tenon/token_id.h"\n',
                "examples/a.cpp": "#include <tenon/gap.h>\n",
                "server/main.cpp": '#include "tenon/gap.h"\n',
                "model/error.h": "#include <string>\n",
                "model/file/file.h": '#include "model/file/gguf.h"\n',
                "model/file/gguf.h": '#include <span>\n#include "model/error.h"\n#include "tenon/token_id.h"\n',
                "model/inference/inference.h": '#include "model/file/file.h"\n',
                "model/inference/llama.cpp": '#include <torch/torch.h>\n#include <oneapi/dnnl/dnnl.hpp>\n'
                                             '#include "model/inference/inference.h"\n',
                "server/request/completer.cpp": '#include "model/inference/inference.h"\n#include "model/error.h"\n'
                                                 '#include "tenon/gap.h"\n',
                "server/lsp/server.h": '#include "server/request/completer.cpp"\n',
                "tests/oracle/naive.h": "#include <string>\n",
                "tests/constraint/lexer_test.cpp": '#include "constraint/lex/lexer.h"\n#include "tests/oracle/naive.h"\n',
                "tests/model/file/gguf_test.cpp": '#include "model/file/gguf.h"\n',
            }), [])

    def assert_one(self, files, *expected):
        found = self.edges(files)
        self.assertEqual(len(found), 1, found)
        for text in expected:
            self.assertIn(text, found[0])

    def test_leaf_must_not_include_leaf(self):
        self.assert_one(
            {"protocol/a.h": "\n", "model/b.cpp": '#include <span>\n\n  #  include "protocol/a.h"\n'},
            "model/b.cpp:3:", "-> protocol/a.h", "model/ may not include protocol/")

    def test_leaf_must_not_include_the_root(self):
        self.assert_one({"server/s.h": "", "constraint/gap/g.h": '#include "server/s.h"\n'}, "constraint/ may not include server/")

    def test_constraint_goes_one_way(self):
        self.assert_one(
            {"constraint/lr/table.h": "", "constraint/lex/lexer.h": '#include "constraint/lr/table.h"\n'},
            "constraint/lex/lexer.h:1:", "characters <- lex <- lexical_context <- lr <- language")

    def test_the_public_face_knows_nothing_inside(self):
        self.assert_one(
            {"constraint/lex/lexer.h": "", "include/tenon/gap.h": '#include "constraint/lex/lexer.h"\n'},
            "include/ may not include constraint/")

    def test_rooms_do_not_know_the_public_face(self):
        self.assert_one(
            {"include/tenon/gap.h": "", "constraint/lex/lexer.h": "#include <tenon/gap.h>\n"}, "only library/ knows include/")

    def test_of_the_public_face_the_model_knows_token_ids_alone(self):
        self.assert_one(
            {"include/tenon/token_id.h": "", "include/tenon/gap.h": "",
             "model/text/fim.h": '#include "tenon/token_id.h"\n#include "tenon/gap.h"\n'},
            "model/text/fim.h:2:", "model/ may not include include/")

    def test_protocol_knows_no_token_ids(self):
        self.assert_one(
            {"include/tenon/token_id.h": "", "protocol/a.h": '#include "tenon/token_id.h"\n'},
            "protocol/ may not include include/")

    def test_examples_use_the_public_face_alone(self):
        self.assert_one(
            {"constraint/lex/lexer.h": "", "examples/a.cpp": '#include "constraint/lex/lexer.h"\n'},
            "examples/ may not include constraint/")

    def test_model_goes_one_way(self):
        self.assert_one(
            {"model/sampling/sampling.h": "", "model/text/fim.cpp": '#include "model/sampling/sampling.h"\n'},
            "model/text/fim.cpp:1:", "model/*.h <- kernels <- file <- text <- inference <- sampling")

    def test_a_folders_own_headers_are_below_its_rooms(self):
        self.assert_one({"model/file/file.h": "", "model/error.h": '#include "model/file/file.h"\n'}, "model/error.h:1:", "model/*.h <-")

    def test_another_room_includes_the_face_only(self):
        self.assert_one(
            {"model/file/gguf.h": "", "model/text/tokenizer.h": '#include "model/file/gguf.h"\n'},
            "model/text/tokenizer.h:1:", "model/file/ is a room with a face: include model/file/file.h")

    def test_another_module_includes_the_face_only(self):
        self.assert_one(
            {"model/text/fim.h": "", "server/complete/c.h": '#include <span>\n#include "model/text/fim.h"\n'},
            "server/complete/c.h:2:", "include model/text/text.h")

    def test_a_folders_own_files_include_the_face_only(self):
        self.assert_one({"server/cli/c.h": "", "model/text/fim.h": "", "server/main.cpp": '#include "model/text/fim.h"\n'}, "include model/text/text.h")

    def test_each_face_is_a_header_of_its_room_and_each_room_is_ordered(self):
        for room, face in include_rule.FACES.items():
            folder, part = include_rule.part_of(face)
            self.assertEqual(f"{folder}/{part}", room)
            self.assertIn(part, include_rule.ORDER[folder])
            self.assertTrue((pathlib.Path(__file__).parents[2] / face).is_file(), face)

    def test_the_server_goes_through_the_library(self):
        gap = {"constraint/gap/gap.h": ""}
        self.assert_one({**gap, "server/cli/c.cpp": '#include "constraint/gap/gap.h"\n'}, "through include/tenon")
        self.assertEqual(self.edges({**gap, "server/bench/b.cpp": '#include "constraint/gap/gap.h"\n'}), [])

    def test_what_to_offer_does_not_know_how_it_is_said(self):
        self.assert_one({"server/lsp/s.h": "", "server/complete/c.cpp": '#include "server/lsp/s.h"\n'}, "complete <- remote <- scheduling <- documents <- client <- offers <- session <- lsp <- daemon <- invocation")

    def test_quality_is_measured_with_the_tools_of_speed(self):
        self.assertEqual(self.edges({"server/bench/b.h": "", "server/eval/e.cpp": '#include "server/bench/b.h"\n'}), [])
        self.assert_one({"server/eval/e.h": "", "server/bench/b.cpp": '#include "server/eval/e.h"\n'}, "bench <- eval <- cli")

    def test_nothing_ships_a_test(self):
        self.assert_one(
            {"tests/oracle/naive.h": "", "server/main.cpp": '#include "tests/oracle/naive.h"\n'},
            "server/ may not include tests/")

    def test_torch_stays_out_of_headers(self):
        self.assert_one({"model/tensor.h": "#include <ATen/ATen.h>\n"}, "model/tensor.h:1:", "model/**/*.cpp only")

    def test_torch_stays_out_of_other_modules(self):
        self.assert_one({"server/complete/c.cpp": "#include <torch/torch.h>\n"}, "model/**/*.cpp only")

    def test_includes_are_root_relative(self):
        self.assert_one({"model/a.h": "", "model/b.cpp": '#include "a.h"\n'}, "model/b.cpp:1:", "repository's root")


if __name__ == "__main__":
    unittest.main()
