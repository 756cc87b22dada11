import { memoryStore } from "../dist/index.mjs"
import { createAdapter } from "./_adapter.mjs"

export const create = createAdapter({ stream: "sse", store: memoryStore })
