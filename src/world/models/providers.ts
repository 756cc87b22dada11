import type { ModelProtocol } from "../../agent/model.ts"

/**
 * A provider with its defaults. This data ages: addresses and variable names come from the providers' documentation and
 * from `@earendil-works/pi-ai` 1.5.0 (2026-11-02).
 */
export interface BuiltInProvider {
  readonly id: string
  readonly aliases?: readonly string[]
  readonly protocol: ModelProtocol
  /** Some models of the provider work better in another protocol. */
  readonly protocolByModel?: true
  /** A cloud with its own addresses and headers. */
  readonly cloud?: "azure"
  /** The AI SDK package for a protocol that has no client here. */
  readonly package?: string
  readonly baseUrl?: string
  /** Variables for another base URL. The first that is set counts. */
  readonly baseUrlVariables?: readonly string[]
  readonly keyVariables?: readonly string[]
  /** Default: needed, if there are variables for a key. */
  readonly key?: "optional"
  /** Variables whose value is sent as a bearer token in place of a key. */
  readonly tokenVariables?: readonly string[]
  /** The ids that only this provider serves. Absent: it can serve any model. */
  readonly families?: RegExp
}

export const modelProtocols: readonly ModelProtocol[] = ["openai", "responses", "anthropic", "ai-sdk"]

/** The day on which the list was last compared with its sources. */
export const providersDate = "2026-11-15"

export const builtInProviders: readonly BuiltInProvider[] = [
  {
    id: "anthropic",
    protocol: "anthropic",
    baseUrl: "https://api.anthropic.com",
    baseUrlVariables: ["ANTHROPIC_BASE_URL"],
    keyVariables: ["ANTHROPIC_API_KEY"],
    tokenVariables: ["ANTHROPIC_AUTH_TOKEN"],
    families: /^claude-[^:/]*$/,
  },
  {
    id: "openai",
    protocol: "openai",
    protocolByModel: true,
    baseUrl: "https://api.openai.com/v1",
    baseUrlVariables: ["OPENAI_BASE_URL"],
    keyVariables: ["OPENAI_API_KEY"],
    families: /^(?:(?:gpt-(?!oss)|chatgpt-|o[134](?:-|$)|codex-)[^:/]*|chat-latest|ft:(?:gpt|o\d).*)$/,
  },
  {
    id: "openai-responses",
    protocol: "responses",
    baseUrl: "https://api.openai.com/v1",
    baseUrlVariables: ["OPENAI_BASE_URL"],
    keyVariables: ["OPENAI_API_KEY"],
  },
  {
    id: "google",
    aliases: ["gemini"],
    protocol: "ai-sdk",
    package: "@ai-sdk/google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"],
    families: /^gemini-[^:/]*$/,
  },
  {
    id: "azure",
    protocol: "openai",
    protocolByModel: true,
    cloud: "azure",
    baseUrlVariables: ["AZURE_OPENAI_BASE_URL", "AZURE_OPENAI_ENDPOINT", "AZURE_RESOURCE_NAME"],
    keyVariables: ["AZURE_API_KEY", "AZURE_OPENAI_API_KEY"],
    tokenVariables: ["AZURE_OPENAI_AD_TOKEN"],
  },
  {
    id: "openrouter",
    protocol: "openai",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariables: ["OPENROUTER_API_KEY"],
  },
  {
    id: "groq",
    protocol: "openai",
    baseUrl: "https://api.groq.com/openai/v1",
    keyVariables: ["GROQ_API_KEY"],
  },
  {
    id: "mistral",
    protocol: "openai",
    baseUrl: "https://api.mistral.ai/v1",
    keyVariables: ["MISTRAL_API_KEY"],
    families:
      /^(?:mistral|codestral|devstral|magistral|ministral|pixtral|voxtral|open-mistral|open-mixtral)-[^:/]*$/,
  },
  {
    id: "deepseek",
    protocol: "openai",
    baseUrl: "https://api.deepseek.com",
    keyVariables: ["DEEPSEEK_API_KEY"],
    families: /^deepseek-[^:/]*$/,
  },
  {
    id: "xai",
    aliases: ["grok"],
    protocol: "openai",
    baseUrl: "https://api.x.ai/v1",
    keyVariables: ["XAI_API_KEY"],
    families: /^grok-[^:/]*$/,
  },
  {
    id: "moonshotai",
    aliases: ["moonshot", "kimi"],
    protocol: "openai",
    baseUrl: "https://api.moonshot.ai/v1",
    keyVariables: ["MOONSHOT_API_KEY"],
    families: /^(?:kimi|moonshot)-[^:/]*$/,
  },
  {
    id: "zai",
    protocol: "openai",
    baseUrl: "https://api.z.ai/api/coding/paas/v4",
    keyVariables: ["ZAI_API_KEY"],
    families: /^glm-[^:/]*$/,
  },
  {
    id: "together",
    protocol: "openai",
    baseUrl: "https://api.together.ai/v1",
    keyVariables: ["TOGETHER_API_KEY"],
  },
  {
    id: "fireworks",
    protocol: "openai",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    keyVariables: ["FIREWORKS_API_KEY"],
  },
  {
    id: "cerebras",
    protocol: "openai",
    baseUrl: "https://api.cerebras.ai/v1",
    keyVariables: ["CEREBRAS_API_KEY"],
  },
  {
    id: "ollama",
    protocol: "openai",
    baseUrl: "http://127.0.0.1:11434/v1",
    baseUrlVariables: ["OLLAMA_HOST"],
    keyVariables: ["OLLAMA_API_KEY"],
    key: "optional",
  },
  {
    // Codex's name for a local server.
    id: "oss",
    protocol: "openai",
    baseUrl: "http://127.0.0.1:11434/v1",
    baseUrlVariables: ["CODEX_OSS_BASE_URL", "CODEX_OSS_PORT"],
  },
  {
    id: "lm-studio",
    aliases: ["lmstudio"],
    protocol: "openai",
    baseUrl: "http://127.0.0.1:1234/v1",
  },
  {
    id: "llama-server",
    aliases: ["llamacpp", "llama.cpp"],
    protocol: "openai",
    baseUrl: "http://127.0.0.1:8080/v1",
  },
  {
    id: "vllm",
    protocol: "openai",
    baseUrl: "http://127.0.0.1:8000/v1",
    baseUrlVariables: ["VLLM_BASE_URL"],
    keyVariables: ["VLLM_API_KEY"],
    key: "optional",
  },
]
