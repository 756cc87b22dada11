/** So many rounds of something random with all tests, and a tenth of them with the quick ones alone. */
export const rounds = (all: number): number => (process.env.TEST_ROUNDS === "all" ? all : Math.ceil(all / 10))
