import { Box, chakra, Flex, Input } from '@chakra-ui/react';
import { useId } from 'react';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { CopyButton } from '#web/components/copy-button.tsx';
import { Panel } from '#web/components/panel.tsx';
import { useOrganization } from '#web/lib/organization.ts';
import { loginFrom, REFERENCE_FILES } from '#web/lib/paths.ts';
import { token as sessionToken } from '#web/lib/session.ts';
import { Name } from './coded.tsx';

const Term = chakra('dt', { base: { color: 'fg.muted', fontSize: 'xs', lineHeight: '20px' } });
const Value = chakra('dd', {
  base: { display: 'flex', alignItems: 'center', gap: '2', minHeight: 'control', minWidth: '0' },
});
const OutLink = chakra('a', {
  base: { textDecoration: 'underline', textDecorationColor: 'border.emphasized' },
});

type Props = { token: string; onToken: (token: string) => void; onCreateToken: () => void };

/** The values in the examples. The token is only in the memory of the page, and gone when the page is left. */
export function CallerPanel({ token, onToken, onCreateToken }: Props) {
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
