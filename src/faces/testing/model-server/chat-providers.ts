import type { ChatDialect } from "./chat-messages.ts"
import {
  cerebrasMessageFields,
  deepSeekThinking,
  geminiFields,
  geminiNames,
  geminiOrder,
  geminiSignatures,
  groqMessageFields,
  mistralIds,
  mistralMessageFields,
  mistralOrder,
  mistralStreamOptions,
  moonshotTemperature,
  moonshotThinking,
  openAiMessageFields,
  openRouterDetails,
  xaiReasoning,
} from "./chat-provider-rules.ts"
import { openAiModelRules } from "./openai-model-rules.ts"

const openAi: ChatDialect = { rules: [openAiMessageFields, ...openAiModelRules], reasoning: "none" }

/** The chat completions of each built-in provider. An empty list: its documentation has no rules of its own. */
export const chatProviders: Readonly<Record<string, ChatDialect>> = {
  openai: openAi,
  azure: openAi,
  deepseek: { rules: [deepSeekThinking], reasoning: "reasoning_content" },
  moonshotai: { rules: [moonshotThinking, moonshotTemperature], reasoning: "reasoning_content" },
  mistral: {
    rules: [mistralMessageFields, mistralIds, mistralOrder, mistralStreamOptions],
    reasoning: "content",
    usage: "always",
    ids: "short",
  },
  google: { rules: [geminiFields, geminiNames, geminiOrder, geminiSignatures], reasoning: "extra_content" },
  openrouter: { rules: [openRouterDetails], reasoning: "reasoning_details" },
  groq: { rules: [groqMessageFields], reasoning: "reasoning" },
  cerebras: { rules: [cerebrasMessageFields], reasoning: "reasoning" },
  xai: { rules: [xaiReasoning], reasoning: "reasoning_content" },
  zai: { rules: [], reasoning: "reasoning_content" },
  together: { rules: [], reasoning: "reasoning" },
  fireworks: { rules: [], reasoning: "reasoning_content" },
  ollama: { rules: [], reasoning: "reasoning" },
  oss: { rules: [], reasoning: "reasoning" },
  "lm-studio": { rules: [], reasoning: "reasoning" },
  "llama-server": { rules: [], reasoning: "reasoning_content" },
  vllm: { rules: [], reasoning: "reasoning" },
}
