import { Box, Flex } from '@chakra-ui/react';
import { type Ref, useState } from 'react';
import type { EmailList } from '#shared/list.ts';
import { Button, TextLink } from '#web/components/button.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Section } from '#web/components/section.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { useMay } from '#web/lib/organization.ts';
import { newAutomationFor, paths } from '#web/lib/paths.ts';
import { hasKey, KeyStatus, lastTested, REGION_NAMES } from './connection.tsx';
import { RemoveKey, SENDING_KEY, SIGNING_KEY } from './remove-key.tsx';
import { SendingKeyForm } from './sending-key-form.tsx';
import { useConnectionTest } from './use-connection-test.ts';

type Props = { list: EmailList };
type FormProps = Props & { formRef: Ref<HTMLFormElement> };

/** The sending key: set, tested, replaced or removed, but never shown. */
export function SendingKey({ list, formRef }: FormProps) {
  const mayEdit = useMay()('sending-key:edit');
  return (
    <Section
      title="Sending key"
      note="Mailgun accepts emails of this list only with a sending key of its domain. The key is stored encrypted and never shown again."
    >
      <KeyFacts list={list} />
      {mayEdit ? (
        <Managed list={list} formRef={formRef} />
      ) : (
        <Notice tone="info" mt="3">
          To set, replace or test the sending key, please contact an admin or owner.
        </Notice>
      )}
    </Section>
  );
}

function KeyFacts({ list }: Props) {
  const { mailgun_region, mailgun_webhook_signing_key } = list;
  return (
    <Facts>
      <Fact name="Status">
        <KeyStatus list={list} />
      </Fact>
      {hasKey(list) && <Fact name="Last tested">{lastTested(list)}</Fact>}
      {hasKey(list) && <Fact name="Region">{REGION_NAMES[mailgun_region]}</Fact>}
      <Fact name="Webhook signing key">{mailgun_webhook_signing_key ? 'Set' : 'Not Set'}</Fact>
    </Facts>
  );
}

function Managed({ list, formRef }: FormProps) {
  const test = useConnectionTest(list);
  const [editing, setEditing] = useState(false);
  const isSet = hasKey(list);
  const keptFocus = useKeptFocus(firstControl);

  return (
    <Box mt="4" {...keptFocus}>
      {editing || !isSet ? (
        <>
          {!isSet && <SigningKeyRemoval list={list} />}
          <SendingKeyForm
            ref={formRef}
            list={list}
            onStored={() => void test.run()}
            onSaved={() => setEditing(false)}
            onCancel={isSet ? () => setEditing(false) : undefined}
          />
        </>
      ) : (
        <Flex wrap="wrap" gap="2">
          <Button loading={test.isRunning} loadingText="Testing..." onClick={() => void test.run()}>
            Test connection
          </Button>
          <Button onClick={() => setEditing(true)}>Replace key</Button>
          <RemoveKey list={list} removal={SENDING_KEY} />
          <SigningKeyRemoval list={list} />
          {test.notice && (
            <Notice
              tone={test.notice.tone}
              flexBasis="full"
              action={test.notice.tone === 'success' && <NextStep list={list} />}
            >
              {test.notice.message}
            </Notice>
          )}
        </Flex>
      )}
    </Box>
  );
}

/** The next step for a list that can send. */
const NextStep = ({ list: { id, members_count } }: Props) =>
  members_count > 0 ? (
    <TextLink to={newAutomationFor(id)}>Create an automation</TextLink>
  ) : (
    <TextLink to={paths.importMembers(id)}>Import members</TextLink>
  );

const firstControl = (frame: Element) =>
  frame.querySelector<HTMLElement>('form input') ?? frame.querySelector<HTMLElement>('button');

const SigningKeyRemoval = ({ list }: Props) =>
  list.mailgun_webhook_signing_key && <RemoveKey list={list} removal={SIGNING_KEY} />;
