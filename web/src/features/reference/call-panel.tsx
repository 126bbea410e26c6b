import { Badge, Box, chakra, Flex } from '@chakra-ui/react';
import { ChevronRight } from 'lucide-react';
import type { Call } from '#shared/reference/calls.ts';
import { type Caller, LANGUAGES, sentBy } from '#shared/reference/examples.ts';
import { type Field, saidOf } from '#shared/reference/fields.ts';
import { CopyButton } from '#web/components/copy-button.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Preformatted } from '#web/components/preformatted.tsx';
import { Tabs } from '#web/components/tabs.tsx';
import { paths } from '#web/lib/paths.ts';

const Heading = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'flex-start',
    gap: '2.5',
    width: 'full',
    minHeight: '44px',
    px: '3',
    py: '3',
    borderRadius: 'lg',
    textAlign: 'start',
    lineHeight: '20px',
    fontWeight: 'normal',
    cursor: 'pointer',
    _hover: { bg: 'bg.subtle' },
    _icon: {
      flex: 'none',
      width: '4',
      height: '4',
      my: '0.5',
      color: 'fg.muted',
      transition: 'rotate 120ms',
    },
    '&[aria-expanded=true] > svg': { rotate: '90deg' },
  },
});

const CREDENTIALS = { token: undefined, session: 'Session', none: 'No token' };

type Props = DetailsProps & { open: boolean; onToggle: () => void };

export function CallPanel({ call, open, onToggle, ...shown }: Props) {
  const credential = CREDENTIALS[call.credential];
  return (
    <Panel as="article" id={call.id} mb="2" scrollMarginTop="4">
      <h3>
        <Heading type="button" aria-expanded={open} onClick={onToggle}>
          <ChevronRight aria-hidden />
          <Flex wrap="wrap" gapX="3" gapY="1" flex="1" minWidth="0">
            <Box as="span" fontFamily="mono" fontSize="xs" overflowWrap="anywhere">
              <Box as="span" fontWeight="semibold">
                {call.method}
              </Box>{' '}
              {call.path}
            </Box>
            <Box as="span" color="fg.muted" flex="1 1 240px">
              {call.summary}
            </Box>
          </Flex>
          {credential && <Badge>{credential}</Badge>}
        </Heading>
      </h3>
      {open && <CallDetails call={call} {...shown} />}
    </Panel>
  );
}

const CODE = { p: '3', maxHeight: '420px', tabSize: 4 } as const;
const PartHeading = chakra('h4', { base: { mt: '5', mb: '2', fontSize: 'sm', fontWeight: 'semibold' } });
const Rows = chakra('dl', { base: { borderTopWidth: '1px', fontSize: 'sm', lineHeight: '20px' } });
const Row = chakra('div', { base: { py: '2', borderBottomWidth: '1px' } });
const Muted = chakra('span', { base: { color: 'fg.muted', fontSize: 'xs' } });
const Said = chakra('dd', { base: { color: 'fg.muted', overflowWrap: 'anywhere' } });

const TAKES = {
  token: 'An API token',
  session: 'The token of a session, no API token',
  none: 'None',
} as const satisfies Record<Call['credential'], string>;

type DetailsProps = { call: Call; caller: Caller; language: number; onLanguage: (index: number) => void };

function CallDetails({ call, caller, language, onLanguage }: DetailsProps) {
  const { id, description, rights, credential, scope, parameters, body, answer, refusals } = call;
  return (
    <Box
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', xl: 'minmax(0, 1fr) minmax(0, 1fr)' }}
      gapX="8"
      px="4"
      pb="4"
      alignItems="start"
    >
      <div>
        {description && (
          <Box as="p" maxWidth="75ch">
            <Coded text={description} />
          </Box>
        )}
        <Flex wrap="wrap" align="center" justify="space-between" gap="2" mt="3">
          <Box as="dl" display="grid" gridTemplateColumns="max-content 1fr" columnGap="4" fontSize="sm">
            <Muted as="dt">Rights</Muted>
            <dd>{rights}</dd>
            <Muted as="dt">Credential</Muted>
            <dd>
              <Coded text={scope ? `${TAKES[credential]} with the scope \`${scope}\`` : TAKES[credential]} />
            </dd>
          </Box>
          <CopyButton text={`${location.origin}${paths.apiCall(id)}`} label="Copy link" variant="ghost" />
        </Flex>
        <Fields
          title="Parameters"
          fields={parameters.map(parameter => ({ ...parameter, place: parameter.in }))}
        />
        <Fields title="Body" fields={body?.fields ?? []} />
        <Fields title={`Answer ${answer.status}`} fields={answer.fields} answered empty={answer.text} />
        <PartHeading>Errors</PartHeading>
        <Rows>
          {refusals.map(({ status, text }) => (
            <Row key={status}>
              <dt>
                <Name>{status}</Name>
              </dt>
              <Said>
                <Coded text={text} />
              </Said>
            </Row>
          ))}
        </Rows>
      </div>
      <Box position={{ xl: 'sticky' }} top="4" mt={{ base: '5', xl: '0' }} minWidth="0">
        <Examples call={call} caller={caller} language={language} onLanguage={onLanguage} />
        {answer.example !== undefined && (
          <>
            <PartHeading>Example of an answer</PartHeading>
            <Preformatted {...CODE} label={`Answer of ${id}`}>
              {JSON.stringify(answer.example, null, 2)}
            </Preformatted>
          </>
        )}
      </Box>
    </Box>
  );
}

function Examples({ call, caller, language, onLanguage }: DetailsProps) {
  const sent = sentBy(call, caller);
  const tabs = LANGUAGES.map(({ name, write }) => {
    const text = write(sent);
    return {
      name,
      panel: (
        <Box mt="3">
          <Preformatted {...CODE} label={`${call.id} in ${name}`}>
            {text}
          </Preformatted>
          <Flex justify="flex-end" mt="2">
            <CopyButton text={text} label="Copy example" />
          </Flex>
        </Box>
      ),
    };
  });
  return <Tabs label={`Languages of ${call.id}`} tabs={tabs} chosen={language} onChoose={onLanguage} />;
}

type FieldsProps = {
  title: string;
  fields: (Field & { place?: string })[];
  /** The fields of a response are not marked as required. */
  answered?: boolean;
  /** Shown if there are no fields. Without it, nothing is shown. */
  empty?: string;
};

function Fields({ title, fields, answered = false, empty }: FieldsProps) {
  if (fields.length === 0 && !empty) return null;
  return (
    <>
      <PartHeading>{title}</PartHeading>
      {fields.length === 0 ? (
        <Muted as="p">{empty}</Muted>
      ) : (
        <Rows>
          {fields.map(field => (
            <Row key={`${field.place} ${field.name}`}>
              <Flex as="dt" wrap="wrap" align="center" gapX="2" gapY="1">
                <Name>{field.name}</Name>
                <Muted>
                  {field.type}
                  {field.place && `, ${field.place}`}
                </Muted>
                {answered
                  ? !field.required && <Muted>not always there</Muted>
                  : field.required && <Badge>required</Badge>}
              </Flex>
              {saidOf(field) && (
                <Said>
                  <Coded text={saidOf(field)} />
                </Said>
              )}
            </Row>
          ))}
        </Rows>
      )}
    </>
  );
}

export const Name = chakra('code', {
  base: { fontFamily: 'mono', fontSize: 'xs', overflowWrap: 'anywhere' },
});

export const Coded = ({ text }: { text: string }) =>
  text.split('`').map((part, index) => {
    const key = `${index} ${part}`;
    return index % 2 === 1 ? <Name key={key}>{part}</Name> : <span key={key}>{part}</span>;
  });
