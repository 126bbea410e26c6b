import { Box } from '@chakra-ui/react';
import { ImagePlus } from 'lucide-react';
import { type ClipboardEvent, type ComponentProps, type DragEvent, useRef, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { EMAIL_IMAGE_TYPES } from '#shared/image-limits.ts';
import { Button } from '#web/components/button.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { onDemand } from '#web/components/on-demand.tsx';

const ImageDialog = onDemand(() => import('./image-dialog.tsx'));

const { TextareaField } = fieldsOf<Record<string, string>>();

/** A text in Markdown, into which images are dropped and pasted, or chosen with its button. */
export function BodyField(props: ComponentProps<typeof TextareaField>) {
  const { name, label } = props;
  const { getValues, setValue } = useFormContext<Record<string, string>>();
  const [file, setFile] = useState<File>();
  const frame = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);

  /** Returns whether there is one. */
  function take(files: FileList | null): boolean {
    const [chosen] = files ?? [];
    if (chosen) setFile(chosen);
    return chosen !== undefined;
  }

  /** Office programs put a picture of a copied text beside it. */
  const hasImage = ({ clipboardData }: ClipboardEvent) => !clipboardData.types.includes('text/plain');
  const hasFile = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

  /** At the caret, as a paragraph of its own. */
  function insert(markdown: string) {
    const textarea = frame.current?.querySelector('textarea');
    const text = getValues(name) ?? '';
    const [start, end] = [textarea?.selectionStart ?? text.length, textarea?.selectionEnd ?? text.length];
    const [before, after] = [text.slice(0, start), text.slice(end)];
    const above = before === '' || before.endsWith('\n') ? before : `${before}\n\n`;
    const below = after === '' || after.startsWith('\n') ? after : `\n\n${after}`;
    setValue(name, above + markdown + below, { shouldDirty: true });
    const caret = above.length + markdown.length;
    textarea?.setSelectionRange(caret, caret);
  }

  return (
    // A form in the dialog is within this one, for React.
    <Box ref={frame} onSubmit={event => event.stopPropagation()}>
      <TextareaField
        {...props}
        aside={
          <Button
            size="xs"
            variant="ghost"
            aria-label={`Add an image to ${label}`}
            onClick={() => input.current?.click()}
          >
            <ImagePlus aria-hidden />
            Image
          </Button>
        }
        onPaste={event => hasImage(event) && take(event.clipboardData.files) && event.preventDefault()}
        // Otherwise the browser would show the file in place of the page.
        onDragOver={event => hasFile(event) && event.preventDefault()}
        onDrop={event => {
          if (hasFile(event)) event.preventDefault();
          take(event.dataTransfer.files);
        }}
      />
      <input
        ref={input}
        type="file"
        hidden
        accept={EMAIL_IMAGE_TYPES.join()}
        aria-label={`Image for ${label}`}
        onChange={({ target }) => {
          take(target.files);
          target.value = '';
        }}
      />
      {file && <ImageDialog file={file} onInsert={insert} onClose={() => setFile(undefined)} />}
    </Box>
  );
}
