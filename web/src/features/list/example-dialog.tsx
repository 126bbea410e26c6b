import { Box, Flex, Text } from '@chakra-ui/react';
import type { EmailList } from '#shared/list.ts';
import { MOST_ROWS } from '#shared/list-member.ts';
import { LANGUAGES, type Sent } from '#shared/reference/examples.ts';
import { TextLink } from '#web/components/button.tsx';
import { CopyButton } from '#web/components/copy-button.tsx';
import { Modal } from '#web/components/modal.tsx';
import { Preformatted } from '#web/components/preformatted.tsx';
import { Tabs } from '#web/components/tabs.tsx';
import { useOrganization } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';

const CODE = { p: '3', maxHeight: '46vh', tabSize: 4 } as const;
const NOTE = { mb: '3', color: 'fg.muted', fontSize: 'sm' } as const;

export default function ExampleDialog({ list, onClose }: { list: EmailList; onClose: () => void }) {
  const organization = useOrganization()?.id;
  if (organization === undefined) return null;
  const target = { origin: location.origin, list: list.id, organization };
  const tabs = EXAMPLES.map(({ name, code }) => {
    const text = code(target);
    return {
      name,
      panel: (
        <Box mt="3">
          <Flex justify="flex-end" mb="2">
            <CopyButton text={text} />
          </Flex>
          <Preformatted {...CODE} label={`Example in ${name}`}>
            {text}
          </Preformatted>
        </Box>
      ),
    };
  });
  return (
    <Modal title={`Add members to ${list.name} by API`} width="720px" onClose={onClose}>
      <Text {...NOTE}>
        Replace <code>&lt;YOUR_API_TOKEN&gt;</code> with a token, which you create in{' '}
        <TextLink to={paths.profile()}>your profile</TextLink>. <code>X-Active-Organization</code> is
        optional: without it, your default organization is used.
      </Text>
      <Tabs label="Languages" tabs={tabs} />
      <Box as="ul" mt="3" pl="4" listStyle="disc" color="fg.muted" fontSize="sm">
        {LIMITS.map(limit => (
          <li key={limit}>{limit}</li>
        ))}
      </Box>
      <Text {...NOTE} mt="5">
        <code>GET /api/v1/email-lists</code> answers the email lists of the organization, each with its{' '}
        <code>id</code>. The one of {list.name} is <code>{list.id}</code>.
      </Text>
      <Preformatted {...CODE} label="Example that gets the email lists">
        {listsExample(target)}
      </Preformatted>
      <Text {...NOTE} mt="3" mb="0">
        The <TextLink to={paths.apiCall('upsertListMembers')}>API reference</TextLink> has all fields, answers
        and errors.
      </Text>
    </Modal>
  );
}

type Target = { origin: string; list: string; organization: number };

const MEMBERS = [
  { email: 'ada@example.com', is_subscribed: true, first_name: 'Ada', signed_up_at: '2026-03-01' },
  { email: 'grace@example.com', is_subscribed: true, plan: 'team', last_order_at: '2026-03-02T09:30:00Z' },
];

const headersOf = ({ organization }: Target) => ({
  Authorization: 'Bearer <YOUR_API_TOKEN>',
  'X-Active-Organization': String(organization),
});

const adding = (target: Target): Sent => ({
  method: 'POST',
  url: `${target.origin}/api/v1/email-lists/${encodeURIComponent(target.list)}/members`,
  headers: { ...headersOf(target), 'Content-Type': 'application/json' },
  body: { members: MEMBERS },
});

/** Complete programs that add members; only the token is a placeholder. */
export const EXAMPLES: { name: string; code: (target: Target) => string }[] = LANGUAGES.map(
  ({ name, write }) => ({ name, code: target => write(adding(target)) }),
);

const [CURL] = LANGUAGES;

export const listsExample = (target: Target) =>
  CURL.write({ method: 'GET', url: `${target.origin}/api/v1/email-lists`, headers: headersOf(target) });

const LIMITS = [
  `Up to ${MOST_ROWS} members per call; the response has a result for each.`,
  'Members who are in the list already are updated. Members who unsubscribed stay unsubscribed.',
  'Fields other than email and is_subscribed become metadata; dates can start automations.',
  'Too many calls get the status 429, with the seconds to wait in Retry-After.',
];
