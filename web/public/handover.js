// The pages are the same at each stage: whom to ask for access is said by the domain, as in src/features/login/login.tsx.
addEventListener('DOMContentLoaded', () => {
  const domain = /^[\d.]+$/.test(location.hostname) ? 'localhost' : location.hostname;
  for (const link of document.querySelectorAll('[data-contact]')) link.href = `mailto:access@${domain}`;
});

// With a token in storage, the app replaces the public home page at the same URL.
try {
  if (localStorage.getItem('token')) {
    const page = document.documentElement;
    page.style.visibility = 'hidden';
    fetch('/app.html')
      .then(response => (response.ok ? response.text() : Promise.reject(response.status)))
      .then(html => {
        document.open();
        document.write(html);
        document.close();
      })
      .catch(() => {
        page.style.visibility = '';
      });
  }
} catch {
  // Storage is blocked, so there is no token.
}
