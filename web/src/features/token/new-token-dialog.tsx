import { useState } from 'react';
import { Modal } from '../../components/modal.tsx';
import { api } from '../../lib/api.ts';
import { NewTokenForm } from './new-token-form.tsx';
import { type NewTokenValues, newTokenSchema } from './new-token-schema.ts';
import { TokenValue } from './token-value.tsx';

type Props = { taken: string[]; onCreated: () => unknown; onClose: () => void };

/** A form, then the value of the new token. */
export default function NewTokenDialog({ taken, onCreated, onClose }: Props) {
  const [value, setValue] = useState<string>();

  async function create(body: NewTokenValues) {
    const { token } = await api('POST /api/tokens', { body });
    setValue(token);
    onCreated();
  }

  if (value) {
    return (
      // Blocking, so that it is not closed by accident: the value cannot be shown again.
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
