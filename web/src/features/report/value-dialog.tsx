import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { LANGUAGES } from '#shared/reference/examples.ts';
import { TextLink } from '#web/components/button.tsx';
import { CopyButton } from '#web/components/copy-button.tsx';
import { Modal } from '#web/components/modal.tsx';
import { Preformatted } from '#web/components/preformatted.tsx';
import { useOrganization } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';

const CODE = { p: '3', maxHeight: '40vh' } as const;
const Note = chakra('p', { base: { mb: '3', color: 'fg.muted', fontSize: 'sm' } });
const Heading = chakra('h3', { base: { mt: '5', mb: '2', fontSize: 'sm', fontWeight: 'semibold' } });

export default function ValueDialog({ combination, onClose }: { combination: string; onClose: () => void }) {
  const { id: organization, currency } = useOrganization() ?? {};
  if (organization === undefined) return null;
  const example = valueExample({ origin: location.origin, combination, organization });
  return (
    <Modal title="Report value by API" width="720px" onClose={onClose}>
      <Note>
        Where a click on an email leads to something of value, such as an order, your program reports it with
        this call. The report adds it to the combination.
      </Note>
      <Flex justify="flex-end" mb="2">
        <CopyButton text={example} />
      </Flex>
      <Preformatted {...CODE} label="Example in curl">
        {example}
      </Preformatted>
      <Box as="ul" mt="3" pl="4" listStyle="disc" color="fg.muted" fontSize="sm">
        <li>
          Replace <code>&lt;YOUR_API_TOKEN&gt;</code> with a token, which you create in{' '}
          <TextLink to={paths.profile()}>your profile</TextLink>.
        </li>
        <li>
          <code>emailTemplateCombinationId</code> is the ID of this page, of templates as of asset
          combinations.
        </li>
        <li>
          <code>eventId</code> is yours, such as the number of the order. The same one counts once, however
          often you send it.
        </li>
        <li>
          <code>value</code> is a number from 0 to 1,000,000,000 with at most four decimals, in{' '}
          {currency ?? 'the same currency in all calls'}.
        </li>
        <li>
          <code>Idempotency-Key</code> may be left out. Repeated with the same key, the call gets the same
          answer for 24 hours.
        </li>
      </Box>
      <Heading>How your program learns the ID</Heading>
      <Note>
        Put <code>{'{{template_combination_id}}'}</code> into the CTA URL, or into any link of a template or
        an asset. Each email has the ID of its own combination there; keep it until the order. Or put{' '}
        <code>{'{{send_id}}'}</code>, the ID of the one email, and report it as <code>send_id</code> in place
        of <code>emailTemplateCombinationId</code>; or report the address of the person as <code>email</code>{' '}
        beside it. Only then is it a conversion, by which emails can be compared.
      </Note>
      <Preformatted {...CODE} label="A link with the ID">
        {LINK}
      </Preformatted>
      <Note>
        The <TextLink to={paths.apiCall('postValue')}>API reference</TextLink> has examples in other
        languages.
      </Note>
      <Heading>What is answered</Heading>
      <Box
        as="dl"
        fontSize="sm"
        display="grid"
        gridTemplateColumns="max-content 1fr"
        columnGap="4"
        rowGap="1.5"
      >
        {Object.entries(ANSWERS).map(([status, meaning]) => (
          <Box key={status} display="contents">
            <Text as="dt" fontFamily="mono" fontSize="xs" lineHeight="20px">
              {status}
            </Text>
            <Text as="dd" color="fg.muted">
              {meaning}
            </Text>
          </Box>
        ))}
      </Box>
    </Modal>
  );
}

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

export const LINK = 'https://example.com/shop?combination={{template_combination_id}}';

export const ANSWERS = {
  200: 'It is stored, and in the report within seconds. With is_repeated, an earlier call had this eventId, and nothing was counted again.',
  401: 'The token is missing, wrong or expired.',
  404: 'There is no such combination in this organization.',
  409: 'The Idempotency-Key belongs to another call: use a new one for each. Or its first call is still being answered: repeat it in a moment.',
  413: 'The call is too large: it may have 1 MB at most.',
  422: 'Something is missing or not valid; errors says what. Nothing was stored.',
  429: 'Too many calls came at once. Repeat it after as many seconds as Retry-After says.',
};
