import { useState } from 'react';
import { onDemand } from '../components/on-demand.tsx';
import { ApiReference } from '../features/reference/api-reference.tsx';
import { usePersonalData } from '../lib/data.ts';

const NewTokenDialog = onDemand(() => import('../features/token/new-token-dialog.tsx'));

/** Combines the API reference with the dialog for a new token: two features that do not import each other. */
export function ApiReferencePage() {
  const [creating, setCreating] = useState(false);
  const [token, setToken] = useState('');
  const { data, mutate } = usePersonalData(creating ? 'GET /api/tokens' : undefined);

  function keep(created: string) {
    setToken(created);
    void mutate();
  }
  return (
    <>
      <ApiReference token={token} onToken={setToken} onCreateToken={() => setCreating(true)} />
      {creating && (
        <NewTokenDialog
          taken={(data?.tokens ?? []).map(({ name }) => name)}
          onCreated={keep}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}
