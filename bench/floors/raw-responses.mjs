import { rawResponses } from "./responses-loop.mjs"

export const create = rawResponses({ stream: false, read: async (answer) => (await answer.json()).output })
