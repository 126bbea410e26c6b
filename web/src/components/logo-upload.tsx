import { Box, Button as ChakraButton, FileUpload, Flex, Text } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { LOGO_LIMIT, LOGO_NOT_SMALLER, MOST_IMAGE_PIXELS, TOO_MANY_PIXELS } from '#shared/limits.ts';
import { decode } from '../lib/image.ts';
import { Problem } from '../lib/problem.ts';
import { toast } from '../lib/toasts.ts';
import { registerUnsavedCheck } from '../lib/unsaved.ts';
import { useAction } from '../lib/use-action.ts';
import { Button } from './button.tsx';
import { Mark } from './mark.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

type Props = {
  of: { name: string; logo: string | null };
  rules: ImageRules;
  hint: string;
  /** The name is in a heading above. */
  headed?: boolean;
  /** Saves a data URL, or removes the logo with null. `onUploadProgress` gets the share that was sent, from 0 to 1. */
  save: (logo: string | null, onUploadProgress: (share: number) => void) => Promise<unknown>;
};

export default function LogoUpload({ of, rules, hint, headed = false, save }: Props) {
  const [preview, setPreview] = useState<string>();
  const [sent, setSent] = useState(0);
  const keptFocus = useKeptFocus(frame => frame.querySelector('button'));
  useEffect(() => registerUnsavedCheck(() => preview !== undefined), [preview]);

  const reading = useAction(async (file: File) => {
    change.clearError();
    setPreview(undefined);
    setPreview(await readImage(file, rules));
  });
  const change = useAction(
    async (logo: string | null) => {
      reading.clearError();
      setSent(0);
      await save(logo, setSent);
      // Unless another one was chosen meanwhile.
      setPreview(shown => (shown === logo ? undefined : shown));
      toast(logo ? 'Logo saved.' : 'Logo removed.');
    },
    { failure: logo => (logo ? 'Failed to update logo' : 'Failed to remove logo') },
  );

  return (
    <Box flex="1 1 260px" maxWidth="420px" {...keptFocus}>
      {!headed && (
        <Text mb="1" fontWeight="medium">
          Logo
        </Text>
      )}
      {/* It keeps no files: `reading` takes each file, and reports why one cannot be used. */}
      <FileUpload.Root
        acceptedFiles={[]}
        preventDocumentDrop
        onFileChange={({ acceptedFiles: [file] }) => file && void reading.run(file)}
      >
        <FileUpload.HiddenInput accept={rules.types.join()} aria-label="Choose a logo" />
        <FileUpload.Dropzone disableClick role="group" aria-label="Logo" tabIndex={undefined}>
          <Flex align="center" gap="3">
            <Mark of={{ ...of, logo: preview ?? of.logo }} size="large" />
            {preview ? (
              <Flex wrap="wrap" gap="2">
                <Button
                  loading={change.isRunning}
                  loadingText={sent > 0 ? `Saving... ${Math.floor(sent * 100)}%` : 'Saving...'}
                  onClick={() => void change.run(preview)}
                >
                  Save logo
                </Button>
                <Button variant="ghost" loading={change.isRunning} onClick={() => setPreview(undefined)}>
                  Discard
                </Button>
              </Flex>
            ) : (
              <Flex wrap="wrap" gap="2">
                <FileUpload.Trigger asChild>
                  <ChakraButton>{of.logo ? 'Change logo' : 'Upload logo'}</ChakraButton>
                </FileUpload.Trigger>
                {of.logo && (
                  <Button
                    variant="ghost"
                    loading={change.isRunning}
                    loadingText="Removing..."
                    onClick={() => void change.run(null)}
                  >
                    Remove logo
                  </Button>
                )}
              </Flex>
            )}
          </Flex>
        </FileUpload.Dropzone>
      </FileUpload.Root>
      <Text mt="2" fontSize="xs" color="fg.muted">
        {hint}
      </Text>
      <Text role="alert" mt="1" minHeight="20px" lineHeight="20px" color="fg.error">
        {reading.error ?? change.error}
      </Text>
    </Box>
  );
}

const FAILED = 'Failed to process image';

export type ImageRules = { types: readonly string[]; wrongType: string };

/** Reads a file as a data URL. Throws a Problem if it is not an accepted image. */
export async function readImage(file: File, { types, wrongType }: ImageRules): Promise<string> {
  if (!types.includes(file.type)) throw new Problem(wrongType);
  if (file.size >= LOGO_LIMIT) throw new Problem(LOGO_NOT_SMALLER);
  const { url, image } = await decode(file).catch(() => {
    throw new Problem(FAILED);
  });
  if (Math.max(image.naturalWidth, image.naturalHeight) > MOST_IMAGE_PIXELS) {
    throw new Problem(TOO_MANY_PIXELS);
  }
  return url;
}
