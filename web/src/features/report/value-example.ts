import { LANGUAGES } from '#shared/reference/examples.ts';

type Target = { origin: string; combination: string; organization: number };

export const valueExample = ({ origin, combination, organization }: Target) =>
  LANGUAGES[0].write({
    method: 'POST',
    url: `${origin}/api/v1/value`,
    headers: {
      Authorization: 'Bearer <YOUR_API_TOKEN>',
      'X-Active-Organization': String(organization),
      'Content-Type': 'application/json',
      'Idempotency-Key': 'order-1001',
    },
    body: { emailTemplateCombinationId: combination, eventId: 'order-1001', value: 49.9 },
  });

/** A link for the content of a template or an asset. */
export const LINK = 'https://example.com/shop?combination={{template_combination_id}}';

/** The meaning of the responses, by their status. */
export const ANSWERS = {
  200: 'It is stored, and in the report within seconds. With is_repeated, an earlier call had this eventId, and nothing was counted again.',
  401: 'The token is missing, wrong or expired.',
  404: 'There is no such combination in this organization.',
  409: 'The Idempotency-Key belongs to another call: use a new one for each. Or its first call is still being answered: repeat it in a moment.',
  413: 'The call is too large: it may have 1 MB at most.',
  422: 'Something is missing or not valid; errors says what. Nothing was stored.',
  429: 'Too many calls came at once. Repeat it after as many seconds as Retry-After says.',
};
