import { Text } from '@chakra-ui/react';
import { useEffect, useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { type Call, type CallGroup, findCalls, groupsOf, isPublic } from '#shared/reference/calls.ts';
import { FAULT_TEXT, type OpenApi } from '#shared/reference/openapi.ts';
import { Button } from '#web/components/button.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Page } from '#web/components/page.tsx';
import { SearchField } from '#web/components/search-field.tsx';
import { Section } from '#web/components/section.tsx';
import { usePersonalData } from '#web/lib/data.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { CallPanel } from './call-panel.tsx';
import { CallerPanel } from './caller-panel.tsx';
import { Coded } from './coded.tsx';

const SEARCH = 'search';
const NONE: CallGroup[] = [];

type Props = { token: string; onToken: (token: string) => void; onCreateToken: () => void };

/** The routes of the API, with the user's organization and one of their tokens in the examples. */
export function ApiReference({ token, onToken, onCreateToken }: Props) {
  const { data, error, mutate } = usePersonalData('GET /api/openapi.json');
  const groups = useMemo(() => (data ? groupsOf(data as unknown as OpenApi) : NONE), [data]);
  const organization = useOrganization()?.id;
  const [params, setParams] = useSearchParams();
  const search = params.get(SEARCH) ?? '';
  const [language, setLanguage] = useState(0);

  const setSearch = (text: string) => setParams(text ? { [SEARCH]: text } : {}, { replace: true });
  const shown = findCalls(groups, search);
  const found = shown.reduce((sum, { calls }) => sum + calls.length, 0);
  const { isOpen, toggle } = useOpenCalls(groups, call =>
    search ? found === 1 : call.credential === 'token',
  );
  const caller = { origin: location.origin, organization, token: token.trim() };

  const sections = (ofPrograms: boolean) =>
    shown
      .filter(group => isPublic(group) === ofPrograms)
      .map(group => (
        <Section key={group.id} title={group.title}>
          {group.calls.map(call => (
            <CallPanel
              key={call.id}
              call={call}
              caller={caller}
              language={language}
              onLanguage={setLanguage}
              open={isOpen(call)}
              onToggle={() => toggle(call)}
            />
          ))}
        </Section>
      ));
  const ofApp = sections(false);

  return (
    <Page
      title="API Reference"
      actions={<SearchField label="Search calls" value={search} onSearch={setSearch} />}
    >
      <CallerPanel token={token} onToken={onToken} onCreateToken={onCreateToken} />
      {error && !data ? (
        <Failure problem={error} onRetry={() => void mutate()} />
      ) : !data ? (
        <Loading shape={['title', 300, 300, 'title', 44, 44, 44]} />
      ) : (
        <>
          <Text role="status" mb="3" color="fg.muted" fontSize="sm">
            {search ? `${found} ${found === 1 ? 'call' : 'calls'} found` : ''}
          </Text>
          {found === 0 && (
            <EmptyState
              title="No call found"
              cause="A search finds words of paths, of what calls do and of the names of fields."
              action={<Button onClick={() => setSearch('')}>Clear search</Button>}
            />
          )}
          {sections(true)}
          {ofApp.length > 0 && (
            <Text as="p" mt="10" mb="4" maxWidth="75ch" color="fg.muted" fontSize="sm">
              The calls below are those of this web app. They take the token of a session instead of an API
              token, and may change with the app.
            </Text>
          )}
          {ofApp}
          <Text mt="8" maxWidth="75ch" color="fg.muted" fontSize="sm">
            <Coded text={FAULT_TEXT} />
          </Text>
        </>
      )}
    </Page>
  );
}

/** Which calls are open: some at first, and the one in the URL, which also gets the focus. */
function useOpenCalls(groups: CallGroup[], isAtFirst: (call: Call) => boolean) {
  const [changed, setChanged] = useState<Record<string, boolean>>({});
  const named = decodeURIComponent(useLocation().hash.slice(1));
  const isKnown = groups.some(({ calls }) => calls.some(({ id }) => id === named));

  useEffect(() => {
    if (!isKnown) return;
    setChanged(before => ({ ...before, [named]: true }));
    const call = document.getElementById(named);
    call?.scrollIntoView();
    call?.querySelector('button')?.focus({ preventScroll: true });
  }, [named, isKnown]);

  const isOpen = (call: Call) => changed[call.id] ?? isAtFirst(call);
  const toggle = (call: Call) => setChanged(before => ({ ...before, [call.id]: !isOpen(call) }));
  return { isOpen, toggle };
}
