// Apart from other limits, which every page loads.

/** Images within emails: the types that mail programs show. */
export const EMAIL_IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
export const NOT_AN_EMAIL_IMAGE = 'Choose a JPEG, PNG, GIF or WebP image. Mail programs show no others.';
export const EMAIL_IMAGE_LIMIT = 2 * 1024 * 1024;
export const EMAIL_IMAGE_TOO_LARGE = 'The image has more than 2 MB. Save it smaller, or as a JPEG.';
