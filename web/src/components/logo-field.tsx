import { chakra } from '@chakra-ui/react';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { messageOf, withFallbackMessage } from '../lib/problem.ts';
import { type ImageRules, readImage } from '../lib/read-image.ts';
import { toast } from '../lib/toasts.ts';
import { registerUnsavedCheck } from '../lib/unsaved.ts';
import { Button } from './button.tsx';
import { Mark } from './mark.tsx';

const Frame = chakra('div', { base: { flex: '1 1 260px', maxWidth: '420px' } });
const Label = chakra('p', { base: { mb: '1', fontWeight: 'medium' } });
const Row = chakra('div', { base: { display: 'flex', alignItems: 'center', gap: '3' } });
const Actions = chakra('div', { base: { display: 'flex', flexWrap: 'wrap', gap: '2' } });
const Hint = chakra('p', { base: { mt: '2', fontSize: 'xs', color: 'fg.muted' } });
const FieldError = chakra('p', {
  base: { mt: '1', minHeight: '20px', lineHeight: '20px', color: 'fg.error' },
});

type Props = {
  of: { name: string; logo: string | null };
  rules: ImageRules;
  hint: string;
  /** A heading above names it already. */
  headed?: boolean;
  /** Saves a data URL as the logo, or removes the logo with null. */
  save: (logo: string | null) => Promise<unknown>;
};

/** Choose, preview and save a logo, or remove it. */
export function LogoField({ of, rules, hint, headed = false, save }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [preview, setPreview] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  useEffect(() => registerUnsavedCheck(() => preview !== undefined), [preview]);

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? [];
    // Otherwise choosing the same file again would fire no change event.
    target.value = '';
    if (!file) return;
    setPreview(undefined);
    setError(undefined);
    try {
      setPreview(await readImage(file, rules));
    } catch (problem) {
      setError(messageOf(problem));
    }
  }

  async function change(logo: string | null, done: string, failure: string) {
    setBusy(true);
    setError(undefined);
    try {
      await withFallbackMessage(save(logo), failure);
      setPreview(undefined);
      toast(done);
    } catch (problem) {
      setError(messageOf(problem));
    } finally {
      setBusy(false);
    }
  }

  const saveLogo = () => change(preview ?? null, 'Logo saved.', 'Failed to update logo');
  const remove = () => change(null, 'Logo removed.', 'Failed to remove logo');
  return (
    <Frame>
      {!headed && <Label>Logo</Label>}
      <Row role="group" aria-label="Logo">
        <Mark of={{ ...of, logo: preview ?? of.logo }} size="large" />
        <input
          ref={input}
          type="file"
          accept={rules.types.join()}
          hidden
          aria-label="Choose a logo"
          onChange={choose}
        />
        {preview ? (
          <Actions>
            <Button busy={busy && 'Saving...'} onClick={saveLogo}>
              Save logo
            </Button>
            <Button look="quiet" onClick={() => setPreview(undefined)}>
              Discard
            </Button>
          </Actions>
        ) : (
          <Actions>
            <Button onClick={() => input.current?.click()}>{of.logo ? 'Change logo' : 'Upload logo'}</Button>
            {of.logo && (
              <Button look="quiet" busy={busy && 'Removing...'} onClick={remove}>
                Remove logo
              </Button>
            )}
          </Actions>
        )}
      </Row>
      <Hint>{hint}</Hint>
      <FieldError role="alert">{error}</FieldError>
    </Frame>
  );
}
