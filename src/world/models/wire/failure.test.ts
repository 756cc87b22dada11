import { describe, expect, test } from "vitest"
import {
  createErrorObjectFailure,
  createModelFailure,
  createNetworkFailure,
  createStatusFailure,
  isOutrightRefusal,
  readRetryAfter,
} from "./failure.ts"

describe("62: how long to wait", () => {
  const date = "Sun, 15 Nov 2026 12:00:00 GMT"
  test.each([
    [{ "retry-after": "7" }, 7000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after-ms": "1250" }, 1250],
    [{ "retry-after-ms": "20", "retry-after": "7" }, 20],
    [{ "retry-after-ms": "NaN", "retry-after": "7" }, 7000],
    [{ "retry-after": "Sun, 15 Nov 2026 12:00:30 GMT", date }, 30_000],
    [{ "retry-after": "Sun, 15 Nov 2026 11:59:30 GMT", date }, undefined],
    [{ "retry-after": "Fri, 01 Jan 2100 00:00:00 GMT" }, 86_400_000],
    [{ "retry-after": "1000000000" }, 86_400_000],
    [{ "retry-after": "1e9" }, 86_400_000],
    [{ "retry-after": "-5" }, undefined],
    [{ "retry-after": "0" }, undefined],
    [{ "retry-after": "NaN" }, undefined],
    [{ "retry-after": "Infinity" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after-ms": "-1", "retry-after": "-1" }, undefined],
    [{}, undefined],
  ])("62: a wait of %j, as a date, negative, huge, NaN or in milliseconds, is %s ms", (headers, expected) => {
    expect(readRetryAfter(headers)).toBe(expected)
  })
})

describe("64: what a status means", () => {
  test.each([
    [400, "rejected", false],
    [401, "rejected", false],
    [402, "rejected", false],
    [403, "rejected", false],
    [404, "rejected", false],
    [405, "rejected", false],
    [422, "rejected", false],
    [307, "rejected", false],
    [413, "overflow", false],
    [408, "overloaded", true],
    [409, "overloaded", true],
    [429, "rate-limit", true],
    [500, "overloaded", true],
    [502, "overloaded", true],
    [503, "overloaded", true],
    [504, "overloaded", true],
    [529, "overloaded", true],
  ])("64: %i is %s", (status, kind, retryable) => {
    const error = createStatusFailure("host", status, {}, '{"error":{"message":"words"}}', 29)
    expect(error).toMatchObject({ kind, retryable })
  })

  test.each([
    ["false", false],
    ["true", true],
    ["", true],
  ])("a provider that says %j to another try is believed", (said, retryable) => {
    const headers = { "x-should-retry": said }
    expect(createStatusFailure("host", 529, headers, "", 0)).toMatchObject({ kind: "overloaded", retryable })
    expect(createStatusFailure("host", 400, headers, "", 0)).toMatchObject({
      kind: "rejected",
      retryable: false,
    })
  })

  test.each([
    [404, { error: { code: "model_not_found", message: "The model `gpt-0` does not exist." } }, true],
    [404, { type: "error", error: { type: "not_found_error", message: "model: claude-0" } }, true],
    [404, { error: { message: 'model "qwen0" not found, try pulling it first' } }, true],
    [404, { error: { message: "models/gemini-0 is not found for API version v1beta" } }, true],
    [404, { error: { message: "Not found the model kimi-0 or Permission denied" } }, true],
    [400, { error: { message: "Model Not Exist" } }, true],
    [400, { message: "Invalid model: mistral-0" }, true],
    [400, { error: { code: "1211", message: "Unknown Model, please check the model code." } }, true],
    [400, { error: { message: "a/b is not a valid model ID" } }, true],
    [404, { error: { message: "Not Found" } }, false],
    [404, { error: { message: "Unknown request URL: POST /v1/models" } }, false],
    [400, { error: { message: "'temperature' is not supported with this model." } }, false],
    [403, { error: { code: "model_not_found", message: "no access" } }, false],
    [429, { error: { message: "The model does not exist" } }, false],
  ])("%i %j: whether it has no such model", (status, body, expected) => {
    const text = JSON.stringify(body)
    expect(createStatusFailure("host", status, {}, text, text.length).unknownModel ?? false).toBe(expected)
  })

  test("an unpaid bill is 429 and is not tried again", () => {
    const body = JSON.stringify({
      error: { message: "You exceeded your quota.", code: "insufficient_quota" },
    })
    expect(createStatusFailure("host", 429, { "retry-after": "1" }, body, body.length)).toEqual({
      kind: "rejected",
      message: "host answered 429: You exceeded your quota.",
      retryable: false,
    })
  })

  test.each([
    ['{"error":{"message":"inner"}}', "application/json", "host answered 400: inner"],
    ['{"error":"text"}', "application/json", "host answered 400: text"],
    ['{"message":"outer"}', "application/json", "host answered 400: outer"],
    ['{"detail":[{"loc":["body"]}]}', "application/json", 'host answered 400: [{"loc":["body"]}]'],
    ['[{"error":{"message":"in a list"}}]', "application/json", "host answered 400: in a list"],
    ["plain words\n", "text/plain", "host answered 400: plain words"],
    ["<html>…", "text/html", "host answered 400: no reason given (9 bytes of text/html)"],
    [
      "<html><title> Gateway down </title>",
      "text/html",
      'host answered 400: a page with the title "Gateway down" (35 bytes of text/html)',
    ],
    ["", "", "host answered 400: no reason given (0 bytes of unnamed content)"],
    ["null", "application/json", "host answered 400: null"],
  ])("the provider's own words are found in %s", (text, type, message) => {
    const error = createStatusFailure("host", 400, { "content-type": type }, text, Buffer.byteLength(text))
    expect(error.message).toBe(message)
  })
})

describe("64: what providers really answer", () => {
  const google = (...details: readonly object[]) => [
    {
      error: {
        code: 429,
        message: "You exceeded your current quota, please check your plan and billing details.",
        status: "RESOURCE_EXHAUSTED",
        details,
      },
    },
  ]
  const raw = (provider_name: string, raw: unknown, code = 400) => ({
    error: { message: "Provider returned error", code, metadata: { provider_name, raw } },
  })
  const tooLarge =
    "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 45000. The input or output tokens must be reduced in order to run successfully."
  const failed = "Tool choice is required, but model did not call a tool"

  test.each<[string, number, unknown, object]>([
    [
      "OpenAI: one request above the rate",
      429,
      { error: { message: tooLarge, type: "tokens", code: "rate_limit_exceeded" } },
      { kind: "overflow", retryable: false },
    ],
    [
      "OpenAI: a rate",
      429,
      {
        error: {
          message: "Rate limit reached for gpt-5. Please try again in 1m30.5s.",
          code: "rate_limit_exceeded",
        },
      },
      { kind: "rate-limit", retryable: true, retryAfter: 90_500 },
    ],
    [
      "Groq: a rate",
      429,
      { error: { message: "Rate limit reached. Please try again in 350ms.", code: "rate_limit_exceeded" } },
      { kind: "rate-limit", retryable: true, retryAfter: 350 },
    ],
    [
      "Groq: the flex tier is full",
      498,
      { error: { message: "Flex tier capacity exceeded", type: "capacity_exceeded" } },
      { kind: "overloaded", retryable: true },
    ],
    [
      "Groq: its model wrote no call",
      400,
      {
        error: {
          message: failed,
          type: "invalid_request_error",
          code: "tool_use_failed",
          failed_generation: "maybe",
        },
      },
      { kind: "rejected", retryable: true },
    ],
    [
      "Azure: a rate",
      429,
      {
        error: {
          code: "429",
          message: "Requests have exceeded call rate limit. Please retry after 12 seconds.",
        },
      },
      { kind: "rate-limit", retryable: true, retryAfter: 12_000 },
    ],
    [
      "Gemini: a rate",
      429,
      google({ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "37.2s" }),
      { kind: "rate-limit", retryable: true, retryAfter: 37_200 },
    ],
    [
      "Gemini: a day's quota",
      429,
      google(
        { violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }] },
        { retryDelay: "3s" },
      ),
      { kind: "rejected", retryable: false },
    ],
    [
      "OpenAI: no money",
      429,
      {
        error: {
          message: "You exceeded your current quota, please check your plan and billing details.",
          type: "insufficient_quota",
          code: "insufficient_quota",
        },
      },
      { kind: "rejected", retryable: false },
    ],
    [
      "Moonshot: no money",
      429,
      {
        error: {
          message:
            "Your account org-x is suspended due to insufficient balance, please recharge your account or check your plan and billing details",
          type: "exceeded_current_quota_error",
        },
      },
      { kind: "rejected", retryable: false },
    ],
    [
      "z.ai: no money",
      429,
      { error: { code: "1113", message: "Insufficient balance or no resource package. Please recharge." } },
      { kind: "rejected", retryable: false },
    ],
    [
      "z.ai: a rate",
      429,
      {
        error: {
          code: "1302",
          message:
            "High concurrency usage of this API, please reduce concurrency or contact customer service to increase limits",
        },
      },
      { kind: "rate-limit", retryable: true },
    ],
    [
      "Anthropic: no money",
      400,
      {
        type: "error",
        error: {
          type: "invalid_request_error",
          message:
            "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
        },
      },
      { kind: "rejected", retryable: false },
    ],
    [
      "Anthropic: a spend limit",
      429,
      {
        type: "error",
        error: {
          type: "rate_limit_error",
          message: "This organization has reached its monthly spend limit.",
        },
      },
      { kind: "rejected", retryable: false },
    ],
    [
      "Anthropic: a rate",
      429,
      {
        type: "error",
        error: {
          type: "rate_limit_error",
          message:
            "This request would exceed your organization's rate limit of 40,000 input tokens per minute.",
        },
      },
      { kind: "rate-limit", retryable: true },
    ],
    [
      "xAI: no money",
      429,
      {
        code: "resource-exhausted",
        error: "Your team has either used all available credits or reached its monthly spending limit.",
      },
      { kind: "rejected", retryable: false },
    ],
    [
      "DeepSeek: no money",
      402,
      { error: { message: "Insufficient Balance", type: "unknown_error" } },
      { kind: "rejected", retryable: false },
    ],
    [
      "OpenRouter: a rate behind it",
      429,
      raw("Google", "google/gemini is temporarily rate-limited upstream. Please retry shortly.", 429),
      {
        kind: "rate-limit",
        retryable: true,
        message: expect.stringMatching(/Provider returned error \(Google\): google\/gemini is temporarily/),
      },
    ],
    [
      "OpenRouter: an overflow behind it",
      400,
      raw(
        "Azure",
        '{"error":{"message":"This model\'s maximum context length is 8192 tokens.","code":"context_length_exceeded"}}',
      ),
      {
        kind: "overflow",
        retryable: false,
        message: expect.stringMatching(/\(Azure\): This model's maximum/),
      },
    ],
    [
      "OpenRouter: a value behind it",
      400,
      raw("X", { error: { message: "No." } }),
      { kind: "rejected", message: expect.stringMatching(/\(X\): No\.$/) },
    ],
    [
      "Bedrock: a rate in the words of an overflow",
      400,
      { message: "ThrottlingException: Too many tokens, please wait before trying again." },
      { kind: "rejected" },
    ],
    [
      "vLLM: no room for a reply",
      400,
      { object: "error", message: "max_tokens must be at least 1, got -904.", code: 400 },
      { kind: "overflow" },
    ],
    [
      "vLLM: a longer prompt",
      400,
      {
        error: {
          message:
            "The decoder prompt (length 9000) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller than the number of text tokens.",
        },
      },
      { kind: "overflow" },
    ],
    [
      "vLLM: less context",
      400,
      {
        error: {
          message:
            "You passed 9000 input tokens and requested 1 output tokens. However, the model's context length is only 8192 tokens",
        },
      },
      { kind: "overflow" },
    ],
    [
      "SGLang",
      400,
      {
        message:
          "Input length (9000 tokens) exceeds the maximum allowed length (8186 tokens). Use a shorter input or enable --allow-auto-truncate.",
      },
      { kind: "overflow" },
    ],
    [
      "Copilot",
      400,
      {
        error: {
          message: "prompt token count of 130000 exceeds the limit of 128000",
          code: "model_max_prompt_tokens_exceeded",
        },
      },
      { kind: "overflow" },
    ],
    [
      "TGI",
      422,
      {
        error: "Input validation error: `inputs` must have less than 4096 tokens. Given: 5000",
        error_type: "validation",
      },
      { kind: "overflow" },
    ],
    [
      "NVIDIA",
      400,
      { error: "Prompt length (9000) exceeds maximum input length (8192)." },
      { kind: "overflow" },
    ],
    [
      "Databricks",
      400,
      { error_code: "BAD_REQUEST", message: "prompt_tokens (9000) exceeds the maximum of 8192." },
      { kind: "overflow" },
    ],
    [
      "LM Studio",
      400,
      {
        error:
          "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
      },
      { kind: "overflow" },
    ],
    [
      "Cloudflare",
      400,
      {
        errors: [],
        error:
          "The estimated number of input and maximum output tokens (9000) exceeded this model context window limit (8192).",
      },
      { kind: "overflow" },
    ],
    [
      "GitHub",
      413,
      {
        error: {
          code: "tokens_limit_reached",
          message: "Request body too large for gpt-4o model. Max size: 8000 tokens.",
        },
      },
      { kind: "overflow" },
    ],
    [
      "Ollama",
      400,
      { error: "prompt too long; exceeded max context length by 812 tokens" },
      { kind: "overflow" },
    ],
  ])("%s", (_, status, body, expected) => {
    const text = JSON.stringify(body)
    expect(createStatusFailure("host", status, {}, text, text.length)).toMatchObject(expected)
  })
})

describe("an error of any shape is an error, and no crash", () => {
  const deep = `${"[".repeat(30_000)}${"]".repeat(30_000)}`
  test.each([
    ['{"error":{"type":{"toString":1},"code":{"valueOf":1,"toString":1},"message":"m"}}', /: m$/],
    [`{"error":{"message":${deep}}}`, /cannot be shown/],
    ['{"error":{"message":{"toJSON":1}}}', /toJSON/],
    ['{"error":[]}', /: \{"error":\[\]\}$/],
    ["[[]]", /\[\[\]\]/],
    ["7", /: 7$/],
  ])("%.70s", (text, message) => {
    const error = createStatusFailure("host", 400, {}, text, text.length)
    expect(error).toMatchObject({ kind: "rejected", retryable: false })
    expect(error.message).toMatch(message)
  })
})

describe("76: a prompt that does not fit, in each provider's words", () => {
  test.each([
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "prompt is too long: 213462 tokens > 200000 maximum",
    "Input is too long for requested model.",
    "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    "Please reduce the length of the messages or completion.",
    "This endpoint's maximum context length is 32768 tokens.",
    "the request exceeds the available context size, try increasing it",
    "The number of tokens to keep from the initial prompt is greater than the context length.",
    "invalid params, context window exceeds limit (2013)",
    "Invalid request: Your request exceeded model token limit: 262144",
    "Too many tokens in the prompt.",
    "prompt token count of 210000 exceeds the limit of 128000 tokens",
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    "Prompt exceeds max length",
    "the prompt tokens too long",
    "Input Tokens Exceeded: Number of input tokens exceeds maximum length.",
    "Range of input length should be [1, 30720]",
    "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 100 `max_new_tokens`",
    "the input length exceeds the context length",
    "Input length 9000 exceeds the maximum context size of 8192",
  ])("76: %s", (message) => {
    const body = JSON.stringify({ error: { message } })
    expect(createStatusFailure("host", 400, {}, body, body.length)).toMatchObject({
      kind: "overflow",
      retryable: false,
    })
    expect(createErrorObjectFailure("host", { message, type: "invalid_request_error" }).kind).toBe("overflow")
  })

  test("76: by its code alone", () => {
    const body = JSON.stringify({ error: { message: "No.", code: "context_length_exceeded" } })
    expect(createStatusFailure("host", 400, {}, body, body.length).kind).toBe("overflow")
  })

  test.each([
    [400, "Unknown parameter: 'context'."],
    [429, "Rate limit reached: too many tokens per minute."],
    [400, "max_tokens must be <= 4096"],
    [400, "The prompt is required."],
  ])("76: but %i %s is none", (status, message) => {
    const body = JSON.stringify({ error: { message } })
    expect(createStatusFailure("host", status, {}, body, body.length).kind).not.toBe("overflow")
  })
})

describe("71: an error inside an answer is what its status would be", () => {
  test.each([
    [{ type: "overloaded_error", message: "Overloaded" }, "overloaded", true],
    [{ type: "rate_limit_error", message: "Slow down" }, "rate-limit", true],
    [{ type: "invalid_request_error", message: "No" }, "rejected", false],
    [{ type: "authentication_error", message: "No" }, "rejected", false],
    [{ code: "invalid_api_key", message: "No" }, "rejected", false],
    [{ code: "insufficient_quota", message: "No" }, "rejected", false],
    [{ code: 429, message: "Slow down" }, "rate-limit", true],
    [{ code: "502", message: "Bad gateway" }, "overloaded", true],
    [{ status: 403, message: "No" }, "rejected", false],
    [{ code: 1302, type: "rate_limit_error", message: "No" }, "rate-limit", true],
    [{ code: 600, type: "invalid_request_error", message: "No" }, "rejected", false],
    [{ code: 399, type: "invalid_request_error", message: "No" }, "rejected", false],
    [{ status: 599, type: "invalid_request_error", message: "No" }, "overloaded", true],
    [{ status: 400, type: "overloaded_error", message: "No" }, "rejected", false],
    [{ status: 200, status_code: 429, code: 400, message: "No" }, "rate-limit", true],
    [{ type: "permission_error", message: "No" }, "rejected", false],
    [{ type: "billing_error", message: "No" }, "rejected", false],
    [{ type: "not_found_error", message: "No" }, "rejected", false],
    [{ type: "request_too_large", message: "No" }, "overflow", false],
    [{ type: "cyber_policy", message: "No" }, "rejected", false],
    [{ code: "invalid_image", message: "No" }, "rejected", false],
    [{ message: "The model x was not found." }, "rejected", false],
    [{ type: "server_error", message: "Oops" }, "overloaded", true],
    ["words alone", "overloaded", true],
    [{}, "overloaded", true],
  ])("71: %j", (given, kind, retryable) => {
    expect(createErrorObjectFailure("host", given)).toMatchObject({ kind, retryable })
  })
})

describe("64: what a broken connection means", () => {
  const coded = (code: string) => Object.assign(new Error("words"), { code })
  test.each([
    [coded("ECONNRESET"), "network", true],
    [coded("ECONNREFUSED"), "network", true],
    [coded("ETIMEDOUT"), "network", true],
    [coded("ENOTFOUND"), "network", true],
    [coded("CERT_HAS_EXPIRED"), "network", true],
    [coded("ERR_SSL_WRONG_VERSION_NUMBER"), "network", true],
    [coded("UND_ERR_CONNECT_TIMEOUT"), "network", true],
    [coded("UND_ERR_SOCKET"), "network", true],
    [coded("UND_ERR_HEADERS_OVERFLOW"), "protocol", true],
    [coded("UND_ERR_INVALID_ARG"), "rejected", false],
    [new AggregateError([new Error("::1 refused")]), "network", true],
    ["no error at all", "network", true],
  ])("64: %s is %s", (thrown, kind, retryable) => {
    const error = createNetworkFailure("host", thrown)
    expect(error).toMatchObject({ kind, retryable })
    expect(error.message.length).toBeGreaterThan(20)
  })
})

test.each([
  ["Please try again in 99999999999999s.", 86_400_000],
  [`Please try again in ${"9".repeat(400)}s.`, undefined],
])("a wait in words is never longer than a day: %.40s", (message, expected) => {
  const body = JSON.stringify({ error: { message } })
  expect(createStatusFailure("host", 429, {}, body, body.length).retryAfter).toBe(expected)
})

test("a long reason is sorted in no time", () => {
  const message = "input token count ".repeat(30_000)
  const begun = process.cpuUsage()
  createErrorObjectFailure("host", { message })
  expect(process.cpuUsage(begun).user).toBeLessThan(1_000_000)
})

test("a model that is not there is final, also in an answer that began well", () => {
  expect(createErrorObjectFailure("host", 'model "x" not found, try pulling it first')).toMatchObject({
    kind: "rejected",
    retryable: false,
    unknownModel: true,
  })
})

describe("an error inside an answer has the status that its words have", () => {
  test.each<[string, string, boolean, boolean]>([
    ["rate_limit_error", "rate-limit", true, false],
    ["Too Many Requests", "rate-limit", true, false],
    ["insufficient_quota", "rejected", false, false],
    ["resource_exhausted", "rate-limit", true, false],
    ["overloaded_error", "overloaded", true, false],
    ["authentication_error", "rejected", false, false],
    ["invalid_api_key", "rejected", false, false],
    ["unauthorized", "rejected", false, false],
    ["permission_error", "rejected", false, false],
    ["forbidden", "rejected", false, false],
    ["billing_error", "rejected", false, false],
    ["not_found_error", "rejected", false, false],
    ["model_not_found", "rejected", false, true],
    ["request_too_large", "overflow", false, false],
    ["invalid_request_error", "rejected", false, false],
    ["content_filter", "rejected", false, false],
    ["empty_image_file", "rejected", false, false],
    ["internal_error", "overloaded", true, false],
  ])("%s is %s", (type, kind, retryable, unknownModel) => {
    const error = createErrorObjectFailure("host", { type, message: "words" })
    expect([error.kind, error.retryable, error.unknownModel === true]).toEqual([
      kind,
      retryable,
      unknownModel,
    ])
  })

  test.each<[object, string]>([
    [{ status: 429 }, "rate-limit"],
    [{ status_code: 413 }, "overflow"],
    [{ code: "401" }, "rejected"],
    [{ status: 399 }, "overloaded"],
    [{ status: 400 }, "rejected"],
    [{ status: 599 }, "overloaded"],
    [{ status: 600, code: 403 }, "rejected"],
  ])("%j is %s", (error, kind) => {
    expect(createErrorObjectFailure("host", { message: "words", ...error }).kind).toBe(kind)
  })

  test("that says nothing is shown as it is", () => {
    expect(createErrorObjectFailure("host", { odd: 1 }).message).toContain('{"odd":1}')
  })
})

describe("only a refusal before any work used nothing", () => {
  test.each([
    ["rate-limit", true],
    ["overloaded", true],
    ["rejected", true],
    ["overflow", true],
    ["network", false],
    ["timeout", false],
    ["protocol", false],
    ["aborted", false],
  ] as const)("%s: %s", (kind, expected) => {
    expect(isOutrightRefusal(createModelFailure(kind, "no", "final"))).toBe(expected)
  })
})

describe("a failure of the connection", () => {
  test.each<[unknown, string, boolean, string]>([
    [
      Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
      "network",
      true,
      "(ECONNREFUSED): refused",
    ],
    [new Error("gone"), "network", true, "failed: gone"],
    [Object.assign(new Error(""), { errors: [{ message: "inner" }] }), "network", true, "inner"],
    ["words", "network", true, "words"],
    [undefined, "network", true, "undefined"],
    [Object.assign(new Error("by proxy"), { code: "ERR_PROXY_REFUSED" }), "rejected", false, "by proxy"],
    [Object.assign(new Error("bad"), { code: "UND_ERR_INVALID_ARG" }), "rejected", false, "bad"],
    [Object.assign(new Error("odd"), { name: "HTTPParserError" }), "protocol", true, "odd"],
    [Object.assign(new Error("long"), { code: "UND_ERR_HEADERS_OVERFLOW" }), "protocol", true, "long"],
  ])("%s is %s", (thrown, kind, retryable, words) => {
    expect(createNetworkFailure("host", thrown)).toMatchObject({
      kind,
      retryable,
      message: expect.stringContaining(words),
    })
  })
})

test.each<[string, number | undefined]>([
  ["Please try again in 20ms.", 20],
  ["Please try again in 1.5s.", 1_500],
  ["Please try again in 1m30.5s.", 90_500],
  ["try again in 2 minutes", 120_000],
  ["retry after 12 seconds", 12_000],
  ["try again later", undefined],
  ["try again in 5 minions", undefined],
])("a wait that a message names: %s", (message, wait) => {
  expect(createStatusFailure("host", 429, {}, JSON.stringify({ error: { message } }), 9).retryAfter).toBe(
    wait,
  )
})

test.each<[readonly object[], number | undefined]>([
  [[{ retryDelay: "7s" }], 7_000],
  [[{}, { retryDelay: "1.5s" }, { retryDelay: "9s" }], 1_500],
  [[{ retryDelay: "0s" }], undefined],
  [[{ retryDelay: "soon" }], undefined],
])("a wait in the details of Google: %j", (details, wait) => {
  const text = JSON.stringify({ error: { message: "no", details } })
  expect(createStatusFailure("host", 429, {}, text, 9).retryAfter).toBe(wait)
})
