import { answerCases } from "./model-contract/answers.ts"
import { failureCases } from "./model-contract/failures.ts"
import { requestCases } from "./model-contract/requests.ts"
import { createAsk, type ModelUnderTest } from "./model-contract/support.ts"

export type { ModelUnderTest } from "./model-contract/support.ts"

/**
 * Tests a client of the `Model` interface against the strict model server. A client that passes is ready to use.
 * `open` returns a client for the server at `baseUrl`, which ends in `/v1` (for Gemini: `/v1beta`). `test` is the function
 * of the test runner, such as `test` of vitest or node:test.
 *
 * @example
 * ```ts
 * import { test } from "node:test"
 * import { type ModelUnderTest, modelContract } from "cadre/testing"
 * import { openaiModel } from "cadre"
 *
 * const open: ModelUnderTest = (options) => openaiModel({ model: "any", ...options })
 * modelContract({ name: "my client", open, test: (name, body) => void test(name, body) })
 * ```
 */
export function modelContract(options: {
  readonly name: string
  open: ModelUnderTest
  test(name: string, body: () => Promise<void>): void
}): void {
  for (const [name, body] of Object.entries({ ...answerCases, ...requestCases, ...failureCases }))
    options.test(titleOf(options.name, name), async () => {
      const servers = createAsk(options.open)
      try {
        await body(servers.ask)
      } finally {
        await servers.close()
      }
    })
}

/** Puts the numbers of a case, if it has any, before the name of the suite. */
function titleOf(suite: string, name: string): string {
  const [, numbers = "", words] = /^((?:\d+, )*\d+: )?(.*)$/s.exec(name) ?? []
  return `${numbers}${suite}: ${words}`
}
