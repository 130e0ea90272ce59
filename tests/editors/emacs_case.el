;;; emacs_case.el --- tenon.el against a server whose answers are written down -*- lexical-binding: t; -*-

;; Environment: TENON_EL, the file tenon.el; TENON_SCRIPTED, scripted_server.py; TENON_PROGRAM, the program `tenon' or nothing.

(require 'ert)
(require 'json)
(require 'python)
(load (getenv "TENON_EL") nil t)

(defvar case-log nil "What the scripted server has received.")

(defun case-wait (what condition)
  "Wait until CONDITION is non-nil and return that; WHAT is named where it stays nil."
  (let ((deadline (+ (float-time) 20)) value)
    (while (not (setq value (funcall condition)))
      (when (> (float-time) deadline)
        (error "Waited in vain for %s; %s; %S" what (tenon--reason) (buffer-string)))
      (accept-process-output nil 0.02))
    value))

(defun case-keys (keys)
  "Type KEYS as a user does."
  (execute-kbd-macro (kbd keys)))

(defun case-ghost ()
  "The suggestion as it is drawn, or nil."
  (when (and tenon--overlay (overlay-buffer tenon--overlay))
    (when-let ((text (or (overlay-get tenon--overlay 'before-string)
                         (overlay-get tenon--overlay 'after-string))))
      (substring-no-properties text))))

(defun case-wait-ghost (&optional expected)
  "Wait for a suggestion, for EXPECTED if given."
  (case-wait (or expected "a suggestion")
             (lambda () (let ((ghost (case-ghost))) (if expected (equal ghost expected) ghost))))
  (case-ghost))

(defun case-received (method)
  "The messages METHOD that the server has received; nil as METHOD: all."
  (with-temp-buffer
    (when (file-exists-p case-log) (insert-file-contents case-log))
    (cl-remove-if-not (lambda (message)
                        (or (null method) (equal (plist-get message :method) method)))
                      (mapcar (lambda (line) (json-parse-string line :object-type 'plist))
                              (split-string (buffer-string) "\n" t)))))

(defun case-screen ()
  "What a user reads: the buffer with what overlays show and hide."
  (let ((text "") (position (point-min)))
    (dolist (overlay (sort (overlays-in (point-min) (1+ (point-max)))
                           (lambda (a b) (< (overlay-start a) (overlay-start b)))))
      (setq text (concat text (buffer-substring-no-properties position (overlay-start overlay))
                         (overlay-get overlay 'before-string)
                         (unless (overlay-get overlay 'invisible)
                           (buffer-substring-no-properties (overlay-start overlay)
                                                           (overlay-end overlay)))
                         (overlay-get overlay 'after-string))
            position (overlay-end overlay)))
    (substring-no-properties
     (concat text (buffer-substring-no-properties position (point-max))))))

(defun case-run (rules text body)
  "Run BODY in a buffer of TEXT whose server answers by RULES; `|' is the cursor."
  (let* ((folder (make-temp-file "tenon-emacs-" t))
         (script (expand-file-name "script.json" folder))
         (case-log (expand-file-name "log" folder))
         (tenon-program "python3")
         (tenon-arguments (list "-B" (getenv "TENON_SCRIPTED") script case-log))
         (tenon-automatic nil)
         (tenon-idle-delay 0.01)
         (python-indent-guess-indent-offset nil)
         (file (expand-file-name "example.py" folder)))
    (with-temp-file script (insert (json-encode (vconcat rules))))
    (with-temp-file file (insert (replace-regexp-in-string "|" "" text)))
    (unwind-protect
        (progn
          (switch-to-buffer (find-file-noselect file))
          (goto-char (1+ (or (string-match "|" text) 0)))
          (tenon-mode)
          (unless (cl-some (lambda (rule) (assq 'notify rule)) rules)
            (case-wait "the server" (lambda () tenon--uri)))
          (funcall body))
      (completion-in-region-mode -1)
      (dolist (buffer (buffer-list))
        (when (buffer-file-name buffer)
          (with-current-buffer buffer (set-buffer-modified-p nil))
          (kill-buffer buffer)))
      (tenon--stop)
      (setq tenon--languages-off nil)
      (delete-directory folder t))))

(defun case-item (text &optional from to)
  "An answer with one item, TEXT; FROM and TO: its range in the cursor's line."
  `((items . [((insertText . ,text)
               ,@(and from `((range . ((from . ,from) (to . ,to))))))])))

(defmacro case-with (rules text &rest body)
  "Run BODY in a buffer of TEXT whose server answers by RULES; `|' is the cursor."
  (declare (indent 2))
  `(case-run ,rules ,text (lambda () ,@body)))

(provide 'emacs_case)
;;; emacs_case.el ends here
