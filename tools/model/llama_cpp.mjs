// Answers requests by llama.cpp, through npm's node-llama-cpp: for compare_llama_cpp, which installs the package.
//
//   node llama_cpp.mjs FOLDER_OF_THE_PACKAGE MODEL THREADS [KV_TYPE] < REQUESTS
//
// One JSON object a line, as tests/model/inference/continue_prompts.cpp has them, and the tokens of a text:
//
//   {"ids": [785, 2038], "tokens": 2, "forced": [11, 12]}  {"steps": [[[11, 17.25], [13, 16.5], …], …]}
//   {"text": "a b", "special": false}                      {"ids": [64, 293]}
//
// Pinned: no flash attention (it moves logits by up to 1), the prompt in one batch, keys and values in KV_TYPE (F32 unless told,
// as tenon keeps them beside blocks).
import {createInterface} from "node:readline";
import {join} from "node:path";
import {pathToFileURL} from "node:url";

const TOP = 8;
const CONTEXT_TOKENS = 2048;

const [folder, modelPath, threads, kvType = "F32"] = process.argv.slice(2);
const entry = join(folder, "node_modules/node-llama-cpp/dist/index.js");
const {getLlama, LlamaLogLevel} = await import(pathToFileURL(entry).href);
const llama = await getLlama({gpu: false, build: "never", skipDownload: true, logLevel: LlamaLogLevel.error});
const model = await llama.loadModel({modelPath, gpuLayers: 0});
let sequence = null;

async function newSequence() {
  const context = await model.createContext({
    contextSize: CONTEXT_TOKENS,
    batchSize: CONTEXT_TOKENS,
    flashAttention: false,
    threads: {ideal: Number(threads), min: 1},
    experimentalKvCacheKeyType: kvType,
    experimentalKvCacheValueType: kvType,
  });
  return context.getSequence();
}

// The TOP largest logits after the last of `ids`; of equal logits the smaller id first.
async function evaluate(ids) {
  const wanted = {generateNext: {logits: {filter: {tokens: [], includeTop: TOP}}}};
  const outputs = await sequence.controlledEvaluate([...ids.slice(0, -1), [ids.at(-1), wanted]]);
  return [...outputs.at(-1).next.logits].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, TOP);
}

async function answer(request) {
  if (request.text !== undefined) return {ids: model.tokenize(request.text, request.special ?? false)};
  sequence ??= await newSequence();
  await sequence.clearHistory();
  const steps = [await evaluate(request.ids)];
  while (steps.length < request.tokens) {
    const token = request.forced?.[steps.length - 1] ?? steps.at(-1)[0][0];
    steps.push(await evaluate([token]));
  }
  return {steps};
}

for await (const line of createInterface({input: process.stdin})) {
  const written = JSON.stringify(await answer(JSON.parse(line))) + "\n";
  await new Promise((done) => process.stdout.write(written, done));
}
process.exit(0);
