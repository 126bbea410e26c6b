import { Box } from '@chakra-ui/react';
import { type ClipboardEvent, type DragEvent, useRef, useState } from 'react';
import { isMarkdown, type Part } from '#shared/email/content.ts';
import { EMAIL_IMAGE_TYPES } from '#shared/image-limits.ts';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { onDemand } from '#web/components/on-demand.tsx';

const loadTools = () => import('./writing-tools.tsx');
const InsertMenu = onDemand(async () => ({ default: (await loadTools()).InsertMenu }), <Box height="5" />);
const Toolbar = onDemand(loadTools, <Box height="control" />);
const ImageDialog = onDemand(() => import('./image-dialog.tsx'));

const { TextField, TextareaField } = fieldsOf<Record<string, string>>();

type Props = {
  name: string;
  label: string;
  part: Part;
  rows?: number | undefined;
  hint?: string;
  explained?: string | undefined;
  longest: number;
};

const ADDRESS = { inputMode: 'url', autoCapitalize: 'off', spellCheck: false } as const;

/** A part of an email, into which placeholders are inserted. */
export function PartField({ part, rows, ...props }: Props) {
  if (rows && isMarkdown(part)) return <BodyField {...props} part={part} rows={rows} />;
  const aside = <InsertMenu part={part} label={props.label} height="5" />;
  if (rows) return <TextareaField {...props} rows={rows} dir="auto" aside={aside} />;
  return <TextField {...props} dir="auto" aside={aside} {...(part === 'cta_url' && ADDRESS)} />;
}

/** A text in Markdown, with a toolbar. Images are dropped and pasted into it, or chosen with its button. */
function BodyField({ part, rows = 3, ...props }: Props) {
  const { label } = props;
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

  return (
    // A form in the dialog is within this one, for React.
    <Box ref={frame} my="4" onSubmit={event => event.stopPropagation()}>
      <TextareaField
        {...props}
        rows={rows}
        dir="auto"
        // Grows with its text, in browsers that can.
        fieldSizing="content"
        minHeight={`${rows * LINE + 14}px`}
        maxHeight="60vh"
        aside={<Toolbar part={part} label={label} onImage={() => input.current?.click()} />}
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
      {file && (
        <ImageDialog
          file={file}
          field={() => frame.current?.querySelector('textarea')}
          onClose={() => setFile(undefined)}
        />
      )}
    </Box>
  );
}

/** In pixels. */
const LINE = 20;
