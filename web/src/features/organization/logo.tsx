import { chakra } from '@chakra-ui/react';
import { type ChangeEvent, useRef, useState } from 'react';
import type { Organization } from '../../../../shared/organization.ts';
import { Button } from '../../components/button.tsx';
import { api } from '../../lib/api.ts';
import { explained, messageOf } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { OrganizationMark } from './organization-mark.tsx';
import { LOGO_TYPES, readLogo } from './read-logo.ts';
import { useOrganizations } from './use-organizations.ts';

const Frame = chakra('div', { base: { flex: '1 1 260px', maxWidth: '420px' } });
const Label = chakra('p', { base: { mb: '1', fontWeight: 'medium' } });
const Row = chakra('div', { base: { display: 'flex', alignItems: 'center', gap: '3' } });
const Ways = chakra('div', { base: { display: 'flex', flexWrap: 'wrap', gap: '2' } });
const Hint = chakra('p', { base: { mt: '2', fontSize: 'xs', color: 'fg.muted' } });
const Fault = chakra('p', { base: { mt: '2', color: 'fg.error', _empty: { display: 'none' } } });

/** The logo: chosen, looked at, then saved; or removed. */
export function Logo({ organization }: { organization: Organization }) {
  const { keep } = useOrganizations();
  const input = useRef<HTMLInputElement>(null);
  const [preview, setPreview] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? [];
    // So that the same file can be chosen again.
    target.value = '';
    if (!file) return;
    setPreview(undefined);
    setFault(undefined);
    try {
      setPreview(await readLogo(file));
    } catch (problem) {
      setFault(messageOf(problem));
    }
  }

  async function change(logo: string | null, done: string, failure: string) {
    setBusy(true);
    setFault(undefined);
    const params = { organization: String(organization.id) };
    const call = api('PUT /api/organizations/{organization}/logo', {
      params,
      body: { logo },
      organization: organization.id,
    });
    try {
      await keep(await explained(call, failure));
      setPreview(undefined);
      toast(done);
    } catch (problem) {
      setFault(messageOf(problem));
    } finally {
      setBusy(false);
    }
  }

  const save = () => change(preview ?? null, 'Logo saved.', 'Failed to update logo');
  const remove = () => change(null, 'Logo removed.', 'Failed to remove logo');
  return (
    <Frame>
      <Label id="logo">Logo</Label>
      <Row role="group" aria-labelledby="logo">
        <OrganizationMark of={{ ...organization, logo: preview ?? organization.logo }} size="large" />
        <input
          ref={input}
          type="file"
          accept={LOGO_TYPES.join()}
          hidden
          aria-label="Choose a logo"
          onChange={choose}
        />
        {preview ? (
          <Ways>
            <Button busy={busy && 'Saving...'} onClick={save}>
              Save logo
            </Button>
            <Button look="quiet" onClick={() => setPreview(undefined)}>
              Discard
            </Button>
          </Ways>
        ) : (
          <Ways>
            <Button onClick={() => input.current?.click()}>
              {organization.logo ? 'Change logo' : 'Upload logo'}
            </Button>
            {organization.logo && (
              <Button look="quiet" busy={busy && 'Removing...'} onClick={remove}>
                Remove logo
              </Button>
            )}
          </Ways>
        )}
      </Row>
      <Hint>PNG, JPEG, GIF or WebP, up to 500 KB.</Hint>
      <Fault role="alert">{fault}</Fault>
    </Frame>
  );
}
