/** Texts about programs that may not ask for a reply of the run's model. */

export const modelGoneText = "this run has no model"

export const explainRequestsUsed = (most: number): string =>
  `the user allows ${most} requests for a model in one run, and they are used up`

export const explainTokensUsed = (most: number): string =>
  `the user allows ${most} tokens for its requests in one run, and they are used up`
