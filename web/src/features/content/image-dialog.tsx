import { Box, Image, Text } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { WIDEST_IMAGE } from '#shared/email/markdown-faults.ts';
import { webAddress } from '#shared/email/web-address.ts';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Modal } from '#web/components/modal.tsx';
import { Notice } from '#web/components/notice.tsx';
import { rememberBytes } from '#web/entities/email/image-bytes.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { type EmailImage, prepareForEmail } from '#web/lib/image.ts';
import { messageOf } from '#web/lib/problem.ts';
import { applyTo, asParagraph } from '#web/lib/text-edits.ts';

const CREATED = 201;
/** On a slow connection. */
const UPLOAD_TIMEOUT = 60_000;
/** Between the margins of the body of an email. */
const BODY_WIDTH = 520;

const WIDTH = `Enter a width from 1 to ${WIDEST_IMAGE} pixels`;
const Placed = z.object({
  alt: z.string().check(
    z.refine(text => text.trim() !== '', 'Say what the image shows'),
    z.maxLength(200, 'The description must be at most 200 characters'),
  ),
  width: z
    .number({ error: WIDTH })
    .check(z.refine(width => Number.isInteger(width) && width >= 1 && width <= WIDEST_IMAGE, WIDTH)),
  link: z
    .string()
    .check(
      z.refine(
        link => link.trim() === '' || webAddress(link.trim()) !== undefined,
        'Enter an address that begins with https://, or nothing',
      ),
    ),
});
type Placed = z.output<typeof Placed>;
const { TextField, NumberField } = fieldsOf<Placed>();

type Props = { file: File; field: () => HTMLTextAreaElement | null | undefined; onClose: () => void };

/** Asks what an image shows, uploads it, and inserts it into the field. */
export default function ImageDialog({ file, field, onClose }: Props) {
  const call = useOrganizationCall();
  const [image, setImage] = useState<EmailImage>();
  const [failure, setFailure] = useState<string>();

  useEffect(() => {
    let isLeft = false;
    prepareForEmail(file).then(
      prepared => isLeft || setImage(prepared),
      problem => isLeft || setFailure(messageOf(problem)),
    );
    return () => {
      isLeft = true;
    };
  }, [file]);

  async function upload(placed: Placed) {
    const { url, bytes } = await call('POST /api/images', {
      body: { image: image?.url ?? '' },
      expectedStatus: CREATED,
      timeout: UPLOAD_TIMEOUT,
    });
    rememberBytes(url, bytes);
    return markdownOf(url, placed);
  }

  return (
    <Modal title="Add image" onClose={onClose}>
      {failure && <Notice tone="error">{failure}</Notice>}
      {image && (
        <Form
          schema={Placed}
          initial={{ alt: '', width: Math.min(image.width, BODY_WIDTH), link: '' }}
          save={upload}
          onSaved={markdown => {
            onClose();
            // The dialog gives up the focus first.
            requestAnimationFrame(() => {
              const element = field();
              if (element) applyTo(element, selected => asParagraph(markdown, selected));
            });
          }}
          failure="Failed to upload the image. Please try again."
        >
          <Box mb="4" p="2" borderWidth="1px" borderRadius="md">
            <Image src={image.url} alt="" maxHeight="180px" mx="auto" objectFit="contain" />
          </Box>
          <TextField
            name="alt"
            label="Description"
            hint="Read aloud to people who do not see the image, and shown where images are blocked."
          />
          <NumberField
            name="width"
            label="Width in pixels"
            min={1}
            hint={`The text of an email is ${BODY_WIDTH} wide.`}
          />
          <TextField
            name="link"
            label="Link"
            hint="Optional: where a click on the image leads."
            inputMode="url"
          />
          <Text fontSize="xs" color="fg.muted">
            Where and when a photo was taken is removed from it.
          </Text>
          <FormActions>
            <CancelButton variant="ghost" onClick={onClose} />
            <SubmitButton loadingText="Uploading...">Add image</SubmitButton>
          </FormActions>
        </Form>
      )}
    </Modal>
  );
}

/** Brackets would end the description, and spaces or brackets the address. */
function markdownOf(url: string, { alt, width, link }: Placed): string {
  const described = alt.replace(/[[\]\\\s]+/g, ' ').trim();
  const image = `![${described}](${url} "${width}")`;
  const address = link.trim().replace(/[\s()<>]/g, sign => `%${sign.charCodeAt(0).toString(16)}`);
  return address ? `[${image}](${address})` : image;
}
