import { useState } from 'react';
import { Modal } from '../../components/modal.tsx';
import { api } from '../../lib/api.ts';
import { NewTokenForm } from './new-token-form.tsx';
import { newTokenSchema, type WantedToken } from './new-token-schema.ts';
import { TokenValue } from './token-value.tsx';

type Props = { taken: string[]; onCreated: () => unknown; onClose: () => void };

/** A form, then the value that is shown this once. */
export default function NewTokenDialog({ taken, onCreated, onClose }: Props) {
  const [value, setValue] = useState<string>();

  async function create(body: WantedToken) {
    const { token } = await api('POST /api/tokens', { body });
    setValue(token);
    onCreated();
  }

  if (value) {
    return (
      // It stays until it is closed on purpose: the value never comes back.
      <Modal title="Token created" blocking onClose={onClose}>
        <TokenValue value={value} onClose={onClose} />
      </Modal>
    );
  }
  return (
    <Modal title="Create API token" onClose={onClose}>
      <NewTokenForm schema={newTokenSchema(taken)} save={create} onCancel={onClose} />
    </Modal>
  );
}
