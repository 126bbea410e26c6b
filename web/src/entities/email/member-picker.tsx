import { Box, Flex, Input } from '@chakra-ui/react';
import { useState } from 'react';
import useSWR from 'swr';
import type { PreviewMember } from '#shared/automation.ts';
import { Button } from '#web/components/button.tsx';
import { Field } from '#web/components/field.tsx';
import { useOrganizationCall } from '#web/lib/data.ts';
import { useDebounced } from '#web/lib/timers.ts';

type Call = ReturnType<typeof useOrganizationCall>;
type Find = (call: Call, search: string) => Promise<PreviewMember[]>;
type Props = {
  /** The id of what the found members belong to. */
  of: string;
  find: Find;
  chosen: PreviewMember | undefined;
  onChoose: (member: PreviewMember | undefined) => void;
};

const PAUSE = 200;
const LONGEST = 254;

/** Of the lists of an automation. */
export const previewMembers =
  (automation: string): Find =>
  (call, search) =>
    call('GET /api/automations/{automation}/preview-members', {
      params: { automation },
      query: { search },
      isRefusalExpected: true,
    });

export const membersOf =
  ({ id, name }: { id: string; name: string }): Find =>
  async (call, search) => {
    const { data } = await call('GET /api/email-lists/{list}/members', {
      params: { list: id },
      query: { search },
      isRefusalExpected: true,
    });
    return data.map(({ id, email }) => ({ id, email, list_name: name }));
  };

/** Finds the member for a preview by the beginning of their address. */
export function MemberPicker({ of, find, chosen, onChoose }: Props) {
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim(), PAUSE);
  const call = useOrganizationCall();
  const found = useFound(search && ['preview members', search, of], () => find(call, search));
  if (chosen) {
    return (
      <Flex wrap="wrap" align="center" gap="3" mb="3" fontSize="sm">
        <Box minWidth="0" overflowWrap="anywhere">
          As <b>{chosen.email}</b> on {chosen.list_name}
        </Box>
        <Button onClick={() => onChoose(undefined)}>As anybody</Button>
      </Flex>
    );
  }
  const choose = (member: PreviewMember) => {
    setTyped('');
    onChoose(member);
  };
  return (
    <Box mb="2">
      <Field label="Preview as" hint={<span role="status">{hintOf(typed, found)}</span>}>
        <Input
          type="search"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={LONGEST}
          placeholder="Address of a member"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            const [first] = (typed && found) || [];
            if (first) choose(first);
          }}
        />
      </Field>
      {typed && found && found.length > 0 && (
        <Flex as="ul" direction="column" align="start" aria-label="Members" mb="2">
          {found.map(member => (
            <Box as="li" key={member.id} maxWidth="full">
              <Button variant="ghost" maxWidth="full" onClick={() => choose(member)}>
                <Box as="span" truncate>
                  {member.email}
                </Box>{' '}
                <Box as="span" color="fg.muted" truncate>
                  {member.list_name}
                </Box>
              </Button>
            </Box>
          ))}
        </Flex>
      )}
    </Box>
  );
}

function hintOf(typed: string, found: PreviewMember[] | undefined): string {
  if (!typed.trim()) return 'The first letters of an address; Enter takes the first one found.';
  if (!found) return 'Searching...';
  if (found.length === 0) return `No address on its lists begins with “${typed.trim()}”.`;
  return found.length === 1 ? '1 member found.' : `${found.length} members found.`;
}

/** The found members; undefined during the search, and if it has failed. */
const useFound = (key: '' | string[], find: () => Promise<PreviewMember[]>) =>
  useSWR(key, find, { shouldRetryOnError: false }).data;
