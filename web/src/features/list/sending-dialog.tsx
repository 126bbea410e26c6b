import { useRef } from 'react';
import type { EmailList } from '#shared/list.ts';
import { needsKey } from '#shared/providers.ts';
import { Modal } from '#web/components/modal.tsx';
import { SendingDomain } from './list-domains.tsx';
import { SendingKey } from './sending-key.tsx';

/** What the first provider of a list needs before it accepts emails, without the other settings. */
export default function SendingDialog({ list, onClose }: { list: EmailList; onClose: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  return (
    <Modal title={`Sending of ${list.name}`} width="560px" onClose={onClose}>
      {needsKey(list.provider) ? <SendingKey list={list} formRef={form} /> : <SendingDomain list={list} />}
    </Modal>
  );
}
