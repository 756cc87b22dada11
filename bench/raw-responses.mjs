import { rawResponses } from "./_raw-responses.mjs"

export const create = rawResponses({ stream: false, read: async (answer) => (await answer.json()).output })
