import { answers } from "./model-contract/answers.ts"
import { failures } from "./model-contract/failures.ts"
import { requests } from "./model-contract/requests.ts"
import { asking, type ModelUnderTest } from "./model-contract/support.ts"

export type { ModelUnderTest } from "./model-contract/support.ts"

/**
 * The `Model` interface as a suite, run against the strict model server: a client that passes may be used.
 * `open` gives a client for the server at `baseUrl`, which ends in `/v1` (Gemini's is `/v1beta`); `test` is the runner's (`test` of
 * vitest or node:test will do).
 */
export function modelContract(options: {
  readonly name: string
  open: ModelUnderTest
  test(name: string, body: () => Promise<void>): void
}): void {
  for (const [name, body] of Object.entries({ ...answers, ...requests, ...failures }))
    options.test(titleOf(options.name, name), async () => {
      const servers = asking(options.open)
      try {
        await body(servers.ask)
      } finally {
        await servers.close()
      }
    })
}

/** A case's numbers, where it has any, come first. */
function titleOf(suite: string, name: string): string {
  const [, numbers = "", words] = /^((?:\d+, )*\d+: )?(.*)$/s.exec(name) ?? []
  return `${numbers}${suite}: ${words}`
}
