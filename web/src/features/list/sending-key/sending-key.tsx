import { Box, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import type { EmailList } from '../../../../../shared/list.ts';
import { Button } from '../../../components/button.tsx';
import { Fact, Facts } from '../../../components/facts.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { useKeptFocus } from '../../../components/use-kept-focus.ts';
import { useMay } from '../../../lib/use-may.ts';
import { hasKey, KeyStatus, lastTested, REGION_NAMES } from './connection.tsx';
import { ConnectionTest } from './connection-test.tsx';
import { RemoveKey, SENDING_KEY, SIGNING_KEY } from './remove-key.tsx';
import { SendingKeyForm } from './sending-key-form.tsx';

type Props = { list: EmailList };

/** The sending key: set, tested, replaced or removed, but never shown. */
export function SendingKey({ list }: Props) {
  const mayEdit = useMay()('sending-key:edit');
  return (
    <Section
      title="Sending key"
      note="Mailgun accepts emails of this list only with a sending key of its domain. The key is stored encrypted and never shown again."
    >
      <KeyFacts list={list} />
      {mayEdit ? (
        <Managed list={list} />
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

function Managed({ list }: Props) {
  const [editing, setEditing] = useState(false);
  const isSet = hasKey(list);
  const keptFocus = useKeptFocus(firstControl);

  return (
    <Box mt="4" {...keptFocus}>
      {editing || !isSet ? (
        <>
          {!isSet && <SigningKeyRemoval list={list} />}
          <SendingKeyForm
            list={list}
            onSaved={() => setEditing(false)}
            onCancel={isSet ? () => setEditing(false) : undefined}
          />
        </>
      ) : (
        <Flex wrap="wrap" gap="2">
          <ConnectionTest list={list} />
          <Button onClick={() => setEditing(true)}>Replace key</Button>
          <RemoveKey list={list} removal={SENDING_KEY} />
          <SigningKeyRemoval list={list} />
        </Flex>
      )}
    </Box>
  );
}

const firstControl = (frame: Element) =>
  frame.querySelector<HTMLElement>('form input') ?? frame.querySelector<HTMLElement>('button');

const SigningKeyRemoval = ({ list }: Props) =>
  list.mailgun_webhook_signing_key && <RemoveKey list={list} removal={SIGNING_KEY} />;
