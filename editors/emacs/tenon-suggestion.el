;;; tenon-suggestion.el --- A suggestion on the screen -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The tenon authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A suggestion is drawn by an overlay, kept while the user types along it, and
;; accepted as a whole, by a word or by a line.  Nothing here asks the server.
;;
;; Example: in `foo(a|)' the suggestion is `abc, b)'.  It begins at the `a', which
;; is typed already; its rest is `bc, b)', and it covers `)'.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'tenon-options)

;; begin: a marker where the text begins, at or before the cursor.  covered:
;; what stands right of the cursor and is replaced.  tail: the rest of the line
;; after that, which stays.  missing: a sign that a line above lacks, and a marker
;; where it goes, (MARKER . SIGN), or nil.
(cl-defstruct (tenon--suggestion (:constructor tenon--make-suggestion) (:copier nil))
  begin text covered tail missing)

(defvar-local tenon--shown nil "The suggestions for this place, the first one on the screen.")
(defvar-local tenon--all nil "Non-nil: the server was asked for all suggestions here.")
(defvar-local tenon--overlay nil "Where the suggestion is drawn.")

(defun tenon-visible-p ()
  "Non-nil when a suggestion is on the screen."
  (and tenon--shown t))

(defun tenon--rest (suggestion)
  "Return the rest of SUGGESTION at the cursor; nil where it no longer fits."
  (let ((begin (marker-position (tenon--suggestion-begin suggestion)))
        (text (tenon--suggestion-text suggestion)))
    (and begin
         (<= (line-beginning-position) begin (point))
         (string= (buffer-substring-no-properties (point) (line-end-position))
                  (concat (tenon--suggestion-covered suggestion)
                          (tenon--suggestion-tail suggestion)))
         (let ((typed (buffer-substring-no-properties begin (point))))
           (and (< (length typed) (length text))
                (string-prefix-p typed text)
                (substring text (length typed)))))))

(defun tenon--clear ()
  "Take the suggestion from the screen."
  (when tenon--overlay (delete-overlay tenon--overlay))
  (dolist (suggestion tenon--shown)
    (set-marker (tenon--suggestion-begin suggestion) nil)
    (when-let ((missing (tenon--suggestion-missing suggestion)))
      (set-marker (car missing) nil)))
  (setq tenon--shown nil tenon--all nil))

(defun tenon--draw (rest covered)
  "Draw REST at the cursor, in place of COVERED."
  (let ((ghost (propertize rest 'face 'tenon-ghost))
        (end (+ (point) (length covered))))
    ;; The cursor stays before it; a number, since t does not do in a terminal.
    (put-text-property 0 1 'cursor 1 ghost)
    (if tenon--overlay
        (move-overlay tenon--overlay (point) end (current-buffer))
      (setq tenon--overlay (make-overlay (point) end nil t)))
    (overlay-put tenon--overlay 'priority 100)
    (overlay-put tenon--overlay 'invisible (and (/= end (point)) t))
    (overlay-put tenon--overlay 'before-string (and (/= end (point)) ghost))
    (overlay-put tenon--overlay 'after-string (and (= end (point)) ghost))))

(defun tenon--redraw ()
  "Draw the rest of the suggestion, or take it away.  Non-nil where it stays."
  (let ((rest (and tenon--shown (tenon--rest (car tenon--shown)))))
    (if rest
        (tenon--draw rest (tenon--suggestion-covered (car tenon--shown)))
      (tenon--clear))
    rest))

(defun tenon--column-position (position)
  "Return where the LSP POSITION is, which is in the cursor's line."
  (min (line-end-position) (+ (line-beginning-position) (plist-get position :character))))

(defun tenon--missing (item)
  "Return the sign that a line above lacks, by the first edit beside ITEM."
  (let ((edits (plist-get item :additionalTextEdits)))
    (when (> (length edits) 0)
      (let* ((edit (elt edits 0))
             (at (plist-get (plist-get edit :range) :start)))
        (save-excursion
          (save-restriction
            (widen)
            (goto-char (point-min))
            (forward-line (plist-get at :line))
            (cons (copy-marker (min (line-end-position) (+ (point) (plist-get at :character))))
                  (plist-get edit :newText))))))))

(defun tenon--write-missing (missing)
  "Write the sign MISSING of `tenon--missing', where there is one."
  (when missing
    (save-excursion
      (save-restriction
        (widen)
        (goto-char (car missing))
        (insert (cdr missing))))))

(defun tenon--from-item (item)
  "Return the suggestion of an inline completion ITEM; nil if it does not fit."
  (let* ((text (plist-get item :insertText))
         (range (plist-get item :range))
         (begin (if range (tenon--column-position (plist-get range :start)) (point)))
         (end (if range (tenon--column-position (plist-get range :end)) (point))))
    (when (and (stringp text) (<= begin (point) end))
      (setq text (replace-regexp-in-string "\r\n?" "\n" text))
      (let ((covered (buffer-substring-no-properties (point) end)))
        ;; Text that is replaced by itself is no part of the suggestion.
        (when (and (> (length text) (length covered) 0) (string-suffix-p covered text))
          (setq text (substring text 0 (- (length covered)))
                end (point)
                covered ""))
        (let ((suggestion (tenon--make-suggestion
                           :begin (copy-marker begin) :text text :covered covered
                           :missing (tenon--missing item)
                           :tail (buffer-substring-no-properties end (line-end-position)))))
          (and (tenon--rest suggestion) suggestion))))))

(defun tenon--accept (pattern)
  "Insert what PATTERN matches at the beginning of the suggestion's rest.
Nil as PATTERN: all of it."
  (when-let ((rest (tenon--redraw)))
    (let* ((suggestion (car tenon--shown))
           (piece (if (and pattern (string-match pattern rest)) (match-string 0 rest) rest))
           (covered (tenon--suggestion-covered suggestion))
           (tail (tenon--suggestion-tail suggestion))
           (left (substring rest (length piece))))
      (undo-boundary)
      (tenon--write-missing (tenon--suggestion-missing suggestion))
      (tenon--clear)
      (when (string-empty-p left)
        (delete-region (point) (+ (point) (length covered))))
      ;; Text that is inserted is not indented anew.
      (insert piece)
      (undo-boundary)
      (unless (string-empty-p left)
        (setq tenon--shown (list (tenon--make-suggestion :begin (copy-marker (point)) :text left
                                                         :covered covered :tail tail)))
        (tenon--redraw))
      t)))

(defun tenon-accept ()
  "Put the suggestion into the buffer."
  (interactive)
  (tenon--accept nil))

(defun tenon-accept-word ()
  "Put the next word of the suggestion into the buffer."
  (interactive)
  (tenon--accept "\\`[ \t\n]*\\(?:[[:alnum:]_]+\\|[^[:alnum:]_ \t\n]+\\)"))

(defun tenon-accept-line ()
  "Put the next line of the suggestion into the buffer."
  (interactive)
  (tenon--accept "\\`\n*[^\n]*"))

(defun tenon--rotate (count)
  "Show the suggestion that is COUNT places further, of those that fit here."
  (setq tenon--shown (cl-remove-if-not #'tenon--rest tenon--shown))
  (if (cdr tenon--shown)
      (let ((from (mod count (length tenon--shown))))
        (setq tenon--shown (append (nthcdr from tenon--shown)
                                   (cl-subseq tenon--shown 0 from))))
    (message "tenon: no other suggestion here"))
  (tenon--redraw))

(provide 'tenon-suggestion)
;;; tenon-suggestion.el ends here
