import { Box, chakra, Flex, Input, Text } from '@chakra-ui/react';
import { useEffect, useId, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import { type Call, type CallGroup, findCalls, groupsOf, isPublic } from '#shared/reference/calls.ts';
import { FAULT_TEXT, type OpenApi } from '#shared/reference/openapi.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { CopyButton } from '#web/components/copy-button.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Page } from '#web/components/page.tsx';
import { Panel } from '#web/components/panel.tsx';
import { SearchField } from '#web/components/search-field.tsx';
import { Section } from '#web/components/section.tsx';
import { useTableView } from '#web/components/use-table-view.ts';
import { usePersonalData } from '#web/lib/data.ts';
import { text } from '#web/lib/filters.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { loginFrom, REFERENCE_FILES } from '#web/lib/paths.ts';
import { token as sessionToken } from '#web/lib/session.ts';
import { CallPanel, Coded, Name } from './call-panel.tsx';

const VIEW = { filters: { search: text } };
const NONE: CallGroup[] = [];

type Props = { token: string; onToken: (token: string) => void; onCreateToken: () => void };

export function ApiReference({ token, onToken, onCreateToken }: Props) {
  const { data, error, mutate } = usePersonalData('GET /api/openapi.json');
  const groups = useMemo(() => (data ? groupsOf(data as unknown as OpenApi) : NONE), [data]);
  const organization = useOrganization()?.id;
  const { view, filter, clear } = useTableView(VIEW);
  const { search } = view.filters;
  const [language, setLanguage] = useState(0);

  const shown = findCalls(groups, search);
  const found = shown.reduce((sum, { calls }) => sum + calls.length, 0);
  const { isOpen, toggle } = useOpenCalls(groups, call =>
    search ? found === 1 : (groups[0]?.calls.includes(call) ?? false),
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
      actions={
        <SearchField label="Search calls" value={search} onSearch={typed => filter({ search: typed })} />
      }
    >
      <CallerPanel token={token} onToken={onToken} onCreateToken={onCreateToken} />
      {error && !data ? (
        <Failure problem={error} onRetry={mutate} />
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
              action={<Button onClick={clear}>Clear search</Button>}
            />
          )}
          {!search && <Basics text={(data as unknown as OpenApi).info.description} />}
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

/** What all calls have in common. The text is Markdown: paragraphs below headings. */
const Basics = ({ text }: { text: string }) => (
  <Section title="How calls work">
    <Box as="dl" maxWidth="75ch" fontSize="sm">
      {text.split('## ').map(part => {
        const [title = '', ...said] = part.split('\n\n');
        return (
          title && (
            <Box key={title} mb="3">
              <Box as="dt" fontWeight="semibold">
                {title}
              </Box>
              <Box as="dd" color="fg.muted">
                <Coded text={said.join(' ')} />
              </Box>
            </Box>
          )
        );
      })}
    </Box>
  </Section>
);

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

const Term = chakra('dt', { base: { color: 'fg.muted', fontSize: 'xs', lineHeight: '20px' } });
const Value = chakra('dd', {
  base: { display: 'flex', alignItems: 'center', gap: '2', minHeight: 'control', minWidth: '0' },
});
const OutLink = chakra('a', {
  base: { textDecoration: 'underline', textDecorationColor: 'border.emphasized' },
});

/** The values in the examples. The token is only in the memory of the page, and gone when the page is left. */
function CallerPanel({ token, onToken, onCreateToken }: Props) {
  const organization = useOrganization();
  const id = useId();
  return (
    <Panel as="section" aria-label="What the examples call with" p="4" mb="8">
      <Box
        as="dl"
        display="grid"
        gridTemplateColumns={{ base: '1fr', lg: 'auto minmax(0, 220px) minmax(0, 1fr)' }}
        gapX="8"
        gapY="3"
      >
        <div>
          <Term>Base URL</Term>
          <Value>
            <Name>{location.origin}</Name>
            <CopyButton text={location.origin} label="Copy base URL" variant="ghost" />
          </Value>
        </div>
        <div>
          <Term>Organization</Term>
          <Value>
            {organization ? (
              <>
                <Box as="span" truncate title={organization.name}>
                  {organization.name}
                </Box>
                <Name flex="none">{organization.id}</Name>
              </>
            ) : (
              !sessionToken() && 'Your default organization'
            )}
          </Value>
        </div>
        <div>
          <Term>
            <label htmlFor={id}>API token</label>
          </Term>
          <Value>
            <Input
              id={id}
              type="password"
              flex="1 1 160px"
              minWidth="0"
              maxWidth="320px"
              placeholder="Paste a token"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              aria-describedby={`${id}-hint`}
              value={token}
              onChange={event => onToken(event.target.value)}
            />
            {sessionToken() ? (
              <Button onClick={onCreateToken}>Create token</Button>
            ) : (
              <ButtonLink to={loginFrom(location)} reloadDocument>
                Sign in
              </ButtonLink>
            )}
          </Value>
          <Box as="dd" id={`${id}-hint`} mt="1" color="fg.muted" fontSize="xs">
            Stands in the examples below. It is kept on this page alone, until you leave it.
          </Box>
        </div>
      </Box>
      <Flex wrap="wrap" gapX="4" gapY="1" mt="3" fontSize="xs" color="fg.muted">
        <span>The same for programs:</span>
        <OutLink href={REFERENCE_FILES.openapi} target="_blank" rel="noreferrer">
          OpenAPI document
        </OutLink>
        <OutLink href={REFERENCE_FILES.markdown} target="_blank" rel="noreferrer">
          Markdown
        </OutLink>
      </Flex>
    </Panel>
  );
}
