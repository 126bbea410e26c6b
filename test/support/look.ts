import type { Look } from '#shared/look.ts';

/** Every choice is another one than that of emails without a look. */
export const LOOK = {
  accent: '#1d4ed8',
  button_text: 'light',
  shape: 'pill',
  button_align: 'center',
  font: 'georgia',
  frame: 'plain',
  logo_align: 'center',
  logo_height: 48,
  address: 'Post office\nStation Road 7\nDublin',
  links: [{ label: 'Shop', url: 'https://shop.example.com/' }],
} satisfies Look;
